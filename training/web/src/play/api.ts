// The interface of `awale serve`. The server keeps no games: every request says the whole game.
import type { Analysis, Game, Ply, Preset } from "../game";

export type Rules = string | Record<string, string>; // a preset's name or parameters

export interface GameRequest {
  rules: Rules;
  start: string;
  moves: string;
}

export interface Info {
  version: string;
  git_revision: string;
  checkpoint: string;
  evaluator: string;
  presets: Preset[]; // the default first
  simulations: number;
  most_simulations: number;
  table: null | { rules: string; seeds: number };
  most_plies: number;
}

export interface MoveReply {
  ply: Ply;
  over: Game["over"]; // after the move
  analysis: Analysis; // before it
}

export interface LoadedGame {
  game: Game;
  tags: Record<string, string>;
}

export interface LoadReply {
  games: LoadedGame[];
  notes: string[];
}

export interface SaveReply {
  ogn: string;
  moves: string;
}

// `detail`: the line in which the server says what is wrong; null: there was no answer. `refused`:
// the request itself is wrong, so that asking again cannot help.
export class ServerError extends Error {
  constructor(
    readonly detail: string | null,
    readonly refused = false,
  ) {
    super(detail ?? "no answer");
  }
}

const patience = 3; // times that a busy server is asked again

function pause(seconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, 1000 * seconds);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });
}

// Some lines end in advice for who types commands: "...; say with --rules which one is meant".
const withoutOptions = (line: string) => line.replace(/; [^;]* --[a-z].*$/, "");

async function errorOf(response: Response): Promise<ServerError> {
  const body: unknown = await response.json().catch(() => null);
  const line = body && typeof body === "object" && "error" in body ? body.error : null;
  const detail = typeof line === "string" ? withoutOptions(line) : `HTTP ${response.status}`;
  return new ServerError(detail, response.status < 500);
}

async function request(path: string, body: unknown, signal: AbortSignal): Promise<Response> {
  const options: RequestInit = body
    ? {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify(body),
        signal,
      }
    : { signal };
  for (let tries = 0; ; ++tries) {
    const response = await fetch(path, options);
    if (response.ok) return response;
    if (response.status !== 503 || tries === patience) throw await errorOf(response);
    await pause(Number(response.headers.get("Retry-After") ?? 1), signal);
  }
}

export async function ask<T>(path: string, body: unknown, signal: AbortSignal): Promise<T> {
  return (await request(path, body, signal)).json() as Promise<T>;
}

// One object a line, each as soon as it has come.
export async function askStream<T>(
  path: string,
  body: unknown,
  signal: AbortSignal,
  put: (value: T) => void,
): Promise<void> {
  const { body: stream } = await request(path, body, signal);
  if (!stream) return;
  const reader = stream.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  for (;;) {
    const { value, done } = await reader.read();
    text += value ?? "\n";
    const lines = text.split("\n");
    text = lines.pop() ?? "";
    for (const line of lines) if (line.trim()) put(JSON.parse(line) as T);
    if (done) return;
  }
}
