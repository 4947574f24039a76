import { useState } from "preact/hooks";
import { Board } from "../board/Board";
import { useVoice, type Language } from "../texts";
import { useKeys } from "../useKeys";
import { AnalysisPanel } from "./AnalysisPanel";
import type { Info, LoadedGame } from "./api";
import { Controls } from "./Controls";
import { ErrorLine } from "./ErrorLine";
import { Header, type Open } from "./Header";
import { Help } from "./Help";
import { LoadGame } from "./LoadGame";
import { Moves } from "./Moves";
import { NewGame } from "./NewGame";
import { visitNotes } from "./notes";
import { SaveGame } from "./SaveGame";
import { boardBefore } from "./sentences";
import { Setup } from "./Setup";
import { Status } from "./Status";
import { newTable, useTable, type Table } from "./table";
import { useAnalysis } from "./useAnalysis";
import { keyOf, requestOf, useAgent, useGame, useStep } from "./useGame";

interface Props {
  info: Info;
  onLanguage: (language: Language) => void;
}

export function Page({ info, onLanguage }: Props) {
  const voice = useVoice();
  const [table, change] = useTable(info);
  const [open, setOpen] = useState<Open | null>(null);
  const [paused, setPaused] = useState(false);
  const [settled, setSettled] = useState("");
  const [loaded, setLoaded] = useState<LoadedGame | null>(null); // what this game goes on from
  const [hinted, setHinted] = useState(""); // the game for which a hint was asked

  const { whole, game, complete, failed, play } = useGame(table, change);
  const shown = table.moves.slice(0, table.at);
  const here = keyOf(requestOf(table, shown)) ?? "";
  const step = useStep(keyOf(requestOf(table, "")) ?? "", shown);

  const atEnd = table.at === table.moves.length;
  const mover = game?.board.to_move ?? "South";
  const running = complete && game?.over === null;
  const humansTurn = running && table[mover] === "human";
  const watched = table.South === "agent" && table.North === "agent";
  const agent = useAgent(
    table,
    game,
    running && atEnd && !humansTurn && !(watched && paused),
    settled === game?.board.position,
    play,
  );

  const wantsHint = hinted === here;
  const analysis = useAnalysis(
    table,
    game,
    running && (table.analysis || wantsHint),
    table.analysis ? info.most_simulations : table.simulations,
  );
  const searched = analysis.value;
  const deepEnough = analysis.done || (searched?.simulations ?? 0) >= table.simulations;
  const hint = wantsHint && deepEnough ? (searched?.best ?? null) : null;

  // The latest earlier position in which a person was to move.
  const backTo = game?.plies.findLastIndex(
    (_, ply) => watched || table[boardBefore(game, ply).to_move] === "human",
  );
  const takeBack =
    backTo === undefined || backTo < 0
      ? null
      : () => {
          setPaused(watched);
          change({ moves: table.moves.slice(0, backTo), at: backTo });
        };
  const askHint = running ? () => setHinted(here) : null;
  const stepTo = (at: number) => change({ at: Math.max(0, Math.min(at, table.moves.length)) });

  useKeys({
    ArrowLeft: () => stepTo(table.at - 1),
    ArrowRight: () => stepTo(table.at + 1),
    Home: () => stepTo(0),
    End: () => stepTo(table.moves.length),
    h: () => askHint?.(),
    u: () => takeBack?.(),
    "?": () => setOpen("help"),
  });

  const close = () => setOpen(null);
  const begin = (table: Table) => {
    setPaused(false);
    setLoaded(null);
    change(table);
  };
  const north = table.South === "agent" && table.North === "human";
  const notes = table.analysis ? visitNotes(voice, searched) : [];

  return (
    <>
      <Header onOpen={setOpen} onLanguage={onLanguage} />
      <main>
        {failed?.error && (
          <ErrorLine
            error={failed.error}
            heading={voice.texts.play.bad_game}
            onRetry={failed.retry}
            onNew={() => begin(newTable(info))}
          />
        )}
        {agent.error && <ErrorLine error={agent.error} onRetry={agent.retry} />}
        {game && (
          <div class="play-area">
            <Status game={game} table={table} hint={hint} />
            <Board
              board={game.board}
              ply={game.plies.at(-1) ?? null}
              before={step ? boardBefore(game, game.plies.length - 1) : null}
              legal={humansTurn ? game.legal : []}
              illegal={humansTurn ? game.illegal : []}
              onPlay={play}
              onSettled={setSettled}
              notes={notes}
              hint={hint ? game.legal.find((move) => move.move === hint)?.hole : null}
              flipped={north !== table.turned}
            />
            <Controls
              at={table.at}
              end={table.moves.length}
              onStep={stepTo}
              onHint={askHint}
              onBack={takeBack}
              onTurn={() => change({ turned: !table.turned })}
              paused={paused}
              onPause={watched && !game.over && atEnd ? setPaused : null}
              onGoOn={atEnd ? null : () => change({ moves: shown })}
            />
            <AnalysisPanel
              on={table.analysis}
              onToggle={(analysis) => change({ analysis })}
              game={game}
              asked={analysis}
            />
          </div>
        )}
        {game && (
          <div class="cards">
            <Setup info={info} table={table} game={game} change={change} />
            {whole && <Moves game={whole} at={table.at} onStep={stepTo} />}
          </div>
        )}
      </main>
      {open === "new" && (
        <NewGame
          info={info}
          table={table}
          onClose={close}
          onStart={(table) => {
            close();
            begin(table);
          }}
        />
      )}
      {open === "load" && (
        <LoadGame
          info={info}
          rules={table.rules}
          onClose={close}
          onLoad={(loaded) => {
            const { rules, parameters, start, moves } = loaded.game;
            close();
            setLoaded(loaded);
            change({
              rules: rules === "custom" ? parameters : rules,
              start: start.position,
              moves,
              at: moves.length,
            });
          }}
        />
      )}
      {open === "save" && <SaveGame table={table} loaded={loaded} onClose={close} />}
      {open === "help" && <Help info={info} onClose={close} />}
    </>
  );
}
