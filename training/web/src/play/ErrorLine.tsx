import { useVoice } from "../texts";
import type { ServerError } from "./api";

interface Props {
  error: ServerError;
  heading?: string; // of a request that is refused: what is to change
  onRetry?: () => void; // offered where asking again can help
  onNew?: () => void; // offered where it cannot
}

// What went wrong, in the server's words where it had any, and a button that leads on from there.
export function ErrorLine({ error, heading, onRetry, onNew }: Props) {
  const { play } = useVoice().texts;
  const { detail, refused } = error;
  return (
    <p class="error-line" role="alert">
      <span>
        {refused && heading && <b>{heading}</b>}
        {detail === null ? play.no_answer : `${play.refused} `}
        {detail !== null && <span lang="en">{detail}</span>}
      </span>
      {!refused && onRetry && (
        <button type="button" onClick={onRetry}>
          {play.retry}
        </button>
      )}
      {refused && onNew && (
        <button type="button" onClick={onNew}>
          {play.new_game}
        </button>
      )}
    </p>
  );
}
