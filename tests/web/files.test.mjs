import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { button, dialog, pit, tableOf, twoPeople, untilMoves, untilReady, useAwale } from "./support.mjs";

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

test("what a game says of itself survives loading and saving", async () => {
  const page = await awale.open(twoPeople);
  await button(page, "Load").click();
  const tags = '[Event "Cup"]\n[South "Zoë"]\n[Annotator "me"]';
  await dialog(page).getByLabel("Or paste the game here").fill(`${tags}\n\n1. F f 30-18`);
  await button(page, "Open").click();
  await untilMoves(page, "Ff");
  const { ogn } = await savedTexts(page);
  for (const tag of ['[Event "Cup"]', '[South "Zoë"]', '[Annotator "me"]', '[Result "30-18"]'])
    assert.ok(ogn.includes(tag), ogn);
  await page.keyboard.press("Escape");
  await pit(page, "B").click();
  await untilMoves(page, "FfB");
  const { ogn: later } = await savedTexts(page);
  assert.ok(later.includes('[South "Zoë"]') && later.includes('[Result "*"]'), later);
  await page.keyboard.press("Escape");
  await button(page, "New game").click();
  await button(page, "Start").click();
  await untilReady(page, 0);
  const { ogn: fresh } = await savedTexts(page);
  assert.ok(fresh.includes('[South "human"]'), fresh);
});

test("numbered moves need no tags", async () => {
  const page = await awale.open(twoPeople);
  await button(page, "Load").click();
  await dialog(page).getByLabel("Or paste the game here").fill("1.F f 2.B e");
  await button(page, "Open").click();
  await untilMoves(page, "FfBe");
});

test("a file that has been mended can be chosen again", async () => {
  const page = await awale.open(twoPeople);
  await button(page, "Load").click();
  const file = dialog(page).locator("input[type=file]");
  const choose = (text) =>
    file.setInputFiles({ name: "a.txt", mimeType: "text/plain", buffer: Buffer.from(text) });
  await choose("FF");
  await dialog(page).getByRole("alert").waitFor();
  assert.equal(await file.inputValue(), "");
  await choose("Ff");
  await untilMoves(page, "Ff");
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

const refused = {
  "FF": /^A move in the text cannot .* present game, Abapa\..* ply 2: expected one of a b/,
  "0-0-0-0-1-6-0-0-0-0-0-0-21-20-S moves E": /^A move in the text .* illegal move E/,
  "1. F f 2. B E *": /^A move in the text cannot .* tag Variant names.* ply 4/,
  "4-4-4 moves F": /^The text is read as moves without tags.* expected 15 fields/,
  '[Event "x"]\n\n1. X *': /^The text is read as OGN.* line 3: expected a move/,
  '[Event "x"]\n\n1. F F *': /^A move in the text .* tag Variant names.* ply 2/,
  '[Variant "chess"]\n\n1. F f *': /^The rules in the tags .* abapa, .* no rule set 'chess' here$/,
  '[Variant "custom"]\n\n1. F f *': /^The rules in the tags .* abapa, .* expected every parameter/,
  "# only a remark": /^There is no game in the text\.$/,
};

for (const [text, expected] of Object.entries(refused)) {
  test(`what is to change is said of ${JSON.stringify(text)}`, async () => {
    const page = await awale.open(twoPeople);
    await button(page, "Load").click();
    await dialog(page).getByLabel("Or paste the game here").fill(text);
    await button(page, "Open").click();
    const alert = dialog(page).getByRole("alert");
    await alert.waitFor();
    assert.match(await alert.textContent(), expected);
    assert.equal(await alert.getByRole("button").count(), 0);
    assert.equal(tableOf(page).moves, "");
  });
}
