import { useVoice } from "../texts";
import type { ServerError } from "./api";

interface Props {
  error: ServerError;
  onRetry?: () => void;
}

// One line: what went wrong, in the server's words where it had any, and a button to try again.
export function ErrorLine({ error, onRetry }: Props) {
  const { play } = useVoice().texts;
  return (
    <p class="error-line" role="alert">
      <span>
        {error.detail === null ? play.no_answer : `${play.refused} `}
        {error.detail !== null && <span lang="en">{error.detail}</span>}
      </span>
      {onRetry && (
        <button type="button" onClick={onRetry}>
          {play.retry}
        </button>
      )}
    </p>
  );
}
