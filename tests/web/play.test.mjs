import assert from "node:assert/strict";
import { test } from "node:test";
import {
  button,
  headline,
  pit,
  refuse,
  tableOf,
  twoPeople,
  untilMoves,
  untilReady,
  useAwale,
} from "./support.mjs";

const awale = useAwale();

const countsOf = async (page) => {
  const texts = await page.locator(".pit").evaluateAll((pits) =>
    pits.map((pit) => [
      pit.querySelector(".letter").textContent,
      Number(pit.querySelector(".count").textContent),
    ]),
  );
  const counts = Object.fromEntries(texts);
  return [..."ABCDEFabcdef"].map((letter) => counts[letter]);
};

test("a whole game against the agent ends as the server says", async () => {
  const page = await awale.open({ simulations: "2" });
  for (let moves = 0; ; moves = tableOf(page).moves.length) {
    await untilReady(page, moves);
    if ((await page.locator("[data-over]").count()) > 0) break;
    const before = tableOf(page).moves.length;
    await page.locator(".pit.legal").first().click();
    await page.waitForFunction(
      (before) => {
        const { length } = new URLSearchParams(location.hash.slice(1)).get("moves");
        return length === before + 2 || document.querySelector("[data-over]");
      },
      before,
    );
  }
  const { rules, moves } = tableOf(page);
  const game = await awale.game({ rules, moves });
  assert.ok(game.over, "the page says that the game is over");
  assert.deepEqual(await countsOf(page), game.board.pits);
  const { winner, final } = game.over;
  const difference = Math.abs(final.South - final.North);
  const seeds = difference === 1 ? "seed" : "seeds";
  assert.equal(
    await headline(page).textContent(),
    winner ? `${winner} wins by ${difference} ${seeds}` : "A draw",
  );
  assert.equal(await page.locator(".pit.legal").count(), 0);
});

test("the agent begins when it plays South, and the board is seen from North", async () => {
  const page = await awale.open({ south: "agent", north: "human", simulations: "2" });
  await untilReady(page, 1);
  assert.match(tableOf(page).moves, /^[A-F]$/);
  const below = await page.locator(".row.bottom .letter").allTextContents();
  assert.deepEqual(below, ["a", "b", "c", "d", "e", "f"]);
});

test("two agents play by themselves until they are stopped", async () => {
  const page = await awale.open({ south: "agent", north: "agent", simulations: "2" });
  await page.waitForFunction(
    () => new URLSearchParams(location.hash.slice(1)).get("moves").length >= 4,
  );
  await button(page, "Pause").click();
  await button(page, "Go on").waitFor();
  const { moves } = tableOf(page);
  await button(page, "Go on").click();
  await page.waitForFunction(
    (length) => new URLSearchParams(location.hash.slice(1)).get("moves").length > length,
    moves.length,
  );
  assert.ok(tableOf(page).moves.startsWith(moves));
});

test("a move is animated seed by seed and ends on the server's board", async () => {
  const page = await awale.open(twoPeople, { reducedMotion: "no-preference" });
  await pit(page, "F").click();
  await page.locator(".hand").waitFor();
  const lifted = await countsOf(page);
  await page.locator(".hand").waitFor({ state: "detached" });
  const { board } = await awale.game({ moves: "F" });
  assert.equal(lifted[5], 0);
  assert.notDeepEqual(lifted, board.pits);
  assert.deepEqual(await countsOf(page), board.pits);
});

test("taking back returns to one's own last move", async () => {
  const page = await awale.open({ simulations: "2" });
  assert.ok(await button(page, "Take back").isDisabled());
  await pit(page, "F").click();
  await untilReady(page, 2);
  await button(page, "Take back").click();
  await untilMoves(page, "");
  await untilReady(page, 0);
  assert.deepEqual(await countsOf(page), Array(12).fill(4));
  assert.ok(await button(page, "Take back").isDisabled());
});

test("what cannot be played says why and leaves the game alone", async () => {
  const page = await awale.open({ moves: "Fa", ...twoPeople });
  await untilReady(page, 2);
  await refuse(page, "F");
  assert.equal(await page.locator(".says").textContent(), "Pit F is empty.");
  await refuse(page, "d");
  assert.equal(await page.locator(".says").textContent(), "It is South's turn: pit d is North's.");
  assert.equal(await pit(page, "F").getAttribute("aria-disabled"), "true");
  assert.equal(tableOf(page).moves, "Fa");
});

test("a row that must be fed", async () => {
  const start = "6-0-0-0-1-0-0-0-0-0-0-0-20-21-S";
  const page = await awale.open({ start, ...twoPeople });
  await untilReady(page, 0);
  await refuse(page, "E");
  assert.match(await page.locator(".says").textContent(), /does not feed/);
  assert.equal(await page.locator(".pit.legal").count(), 1);
});

test("pointing at a pit shows where the last seed lands and what it takes", async () => {
  const start = "0-0-0-0-0-6-1-1-5-1-2-1-15-16-S";
  const page = await awale.open({ start, ...twoPeople });
  await untilReady(page, 0);
  const label = await pit(page, "F").locator(".unseen").textContent();
  assert.equal(label, "Pit F, 6 seeds; last seed on f, takes 7");
  await pit(page, "F").hover();
  assert.match(await page.locator(".says").textContent(), /last seed on f, takes 7/);
  assert.match(await pit(page, "f").getAttribute("class"), /landing/);
  assert.deepEqual(await page.locator(".taken-seeds").allTextContents(), ["−2", "−3", "−2"]);
});

test("a hint is a legal move, and marks its pit", async () => {
  const page = await awale.open({ simulations: "8" });
  await untilReady(page, 0);
  await button(page, "Hint").click();
  const hinted = page.locator(".pit.hint");
  await hinted.waitFor();
  const letter = await hinted.locator(".letter").textContent();
  assert.match(await page.locator(".detail").textContent(), new RegExp(`Hint: ${letter}\\.`));
  await hinted.click();
  await untilReady(page, 2);
  assert.equal(tableOf(page).moves[0], letter);
  assert.equal(await page.locator(".pit.hint").count(), 0);
});

test("playing from an earlier position starts a branch", async () => {
  const page = await awale.open({ moves: "FfBe", ...twoPeople });
  await button(page, "Step back").click();
  await button(page, "Step back").click();
  await page.waitForFunction(() => document.querySelector(".pit.legal"));
  assert.equal(tableOf(page).at, "2");
  await pit(page, "A").click();
  await untilMoves(page, "FfA");
});

test("an answer to a position that has been left is not applied", async () => {
  const page = await awale.open({ simulations: "2" });
  await untilReady(page, 0);
  let release;
  const held = new Promise((resolve) => (release = resolve));
  await page.route("**/api/move", async (route) => {
    await held;
    await route.continue().catch(() => {}); // the page has given it up
  });
  const asked = page.waitForRequest("**/api/move");
  await pit(page, "F").click();
  await asked;
  const given = page.waitForEvent("requestfailed", (request) =>
    request.url().endsWith("/api/move"),
  );
  await button(page, "Take back").click();
  await untilMoves(page, "");
  await given;
  release();
  await untilReady(page, 0);
  await page.unroute("**/api/move");
  await pit(page, "A").click();
  await untilReady(page, 2);
  assert.match(tableOf(page).moves, /^A[a-f]$/);
});
