import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { button, dialog, tableOf, twoPeople, untilMoves, untilReady, useAwale } from "./support.mjs";

const awale = useAwale();

const played = { rules: "valencian", moves: "FfBeBbDdDa", ...twoPeople };

async function savedTexts(page) {
  await button(page, "Save").click();
  await dialog(page).locator("textarea").first().waitFor();
  return {
    ogn: await dialog(page).getByLabel("OGN").inputValue(),
    moves: await dialog(page).getByLabel("Moves").inputValue(),
  };
}

test("what is saved can be loaded again, as a file and as text", async () => {
  const page = await awale.open(played);
  const { ogn, moves } = await savedTexts(page);
  assert.equal(moves.trim(), played.moves);
  const waiting = page.waitForEvent("download");
  await dialog(page).getByRole("button", { name: "Download" }).first().click();
  const download = await waiting;
  assert.equal(download.suggestedFilename(), "awale.ogn");
  const file = await download.path();
  assert.equal(readFileSync(file, "utf8"), ogn);

  const other = await awale.open(twoPeople);
  await button(other, "Load").click();
  await dialog(other).getByLabel(/^A file/).setInputFiles(file);
  await untilMoves(other, played.moves);
  assert.equal(tableOf(other).rules, "valencian");

  const third = await awale.open({ rules: "valencian", ...twoPeople });
  await button(third, "Load").click();
  await dialog(third).getByLabel("Or paste the game here").fill(moves);
  await button(third, "Open").click();
  await untilMoves(third, played.moves);
});

test("the game can be copied", async () => {
  const context = await awale.context({ permissions: ["clipboard-read", "clipboard-write"] });
  const page = await awale.open(played, {}, context);
  const { ogn } = await savedTexts(page);
  await dialog(page).getByRole("button", { name: "Copy" }).first().click();
  await dialog(page).getByRole("button", { name: "Copied" }).waitFor();
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), ogn);
});

test("a start position survives saving and loading", async () => {
  const start = "0-0-0-0-0-6-1-1-5-1-2-1-15-16-S";
  const page = await awale.open({ start, moves: "F", ...twoPeople });
  const { ogn } = await savedTexts(page);
  const other = await awale.open(twoPeople);
  await button(other, "Load").click();
  await dialog(other).getByLabel("Or paste the game here").fill(ogn);
  await button(other, "Open").click();
  await untilMoves(other, "F");
  assert.equal(tableOf(other).start, start);
});

test("of several games one is chosen", async () => {
  const first = await savedTexts(await awale.open(played));
  const second = await savedTexts(await awale.open({ moves: "Aa", ...twoPeople }));
  const page = await awale.open(twoPeople);
  await button(page, "Load").click();
  await dialog(page).getByLabel("Or paste the game here").fill(`${first.ogn}\n${second.ogn}`);
  await button(page, "Open").click();
  const games = dialog(page).locator(".loaded button");
  await games.nth(1).waitFor();
  assert.equal(await games.count(), 2);
  assert.match(await games.nth(0).textContent(), /10 moves/);
  await games.nth(1).click();
  await untilMoves(page, "Aa");
  await untilReady(page, 2);
});

test("a text that is no game is refused in one line", async () => {
  const page = await awale.open(twoPeople);
  await button(page, "Load").click();
  await dialog(page).getByLabel("Or paste the game here").fill("FF");
  await button(page, "Open").click();
  await dialog(page).getByRole("alert").waitFor();
  assert.equal(tableOf(page).moves, "");
});
