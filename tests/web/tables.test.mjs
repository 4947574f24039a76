import assert from "node:assert/strict";
import { test } from "node:test";
import {
  button,
  dialog,
  pit,
  refuse,
  tableOf,
  twoPeople,
  untilMoves,
  untilReady,
  useAwale,
} from "./support.mjs";

const awale = useAwale();

test("a game by other rules and from another position", async () => {
  const page = await awale.open({ moves: "Ff", ...twoPeople });
  await button(page, "New game").click();
  const rules = dialog(page).getByLabel("Rules");
  const before = await dialog(page).locator(".rules-text").textContent();
  await rules.selectOption("awari");
  const after = await dialog(page).locator(".rules-text").textContent();
  assert.notEqual(after, before);
  assert.match(after, /illegal while another move exists/);
  const start = "0-0-6-0-3-5-1-2-1-0-0-0-15-15-S";
  await dialog(page).getByLabel("Start position").fill(start);
  await button(page, "Start").click();
  await dialog(page).waitFor({ state: "detached" });
  await untilReady(page, 0);
  assert.deepEqual(
    { ...tableOf(page), simulations: "" },
    { rules: "awari", start, moves: "", simulations: "", ...twoPeople },
  );
  await refuse(page, "C");
  assert.match(await page.locator(".says").textContent(), /would take all/);
});

test("a start position that is none stays in the dialog, with the reason", async () => {
  const page = await awale.open(twoPeople);
  await button(page, "New game").click();
  await dialog(page).getByLabel("Start position").fill("4-4-4");
  await button(page, "Start").click();
  await dialog(page).getByRole("alert").waitFor();
  assert.match(await dialog(page).getByRole("alert").textContent(), /15 fields/);
  assert.equal(tableOf(page).start, "start");
});

test("strength by level and by number", async () => {
  const page = await awale.open(twoPeople);
  await page.getByLabel("Agent thinks").selectOption({ label: "Quickly" });
  await page.waitForFunction(() => location.hash.includes("simulations=16"));
  await page.getByLabel("Simulations a move").fill("7");
  await page.getByLabel("Simulations a move").press("Tab");
  await page.waitForFunction(() => location.hash.includes("simulations=7"));
  assert.equal(await page.getByLabel("Agent thinks").inputValue(), "");
});

test("a new game has a level with a name, and no two levels are the same", async () => {
  const page = await awale.open(twoPeople);
  const levels = page.getByLabel("Agent thinks");
  const texts = await levels.locator("option").allTextContents();
  assert.ok(!texts.includes("Other"), texts.join());
  const numbers = [];
  for (const label of texts) {
    await levels.selectOption({ label });
    numbers.push(Number(await page.getByLabel("Simulations a move").inputValue()));
  }
  assert.deepEqual(numbers, [...new Set(numbers)].sort((a, b) => a - b));
});

test("a reload in mid-game goes on where it was", async () => {
  const page = await awale.open({ simulations: "2" });
  await untilReady(page, 0);
  await pit(page, "F").click();
  await untilReady(page, 2);
  const before = tableOf(page);
  await page.reload();
  await untilReady(page, 2);
  assert.deepEqual(tableOf(page), before);
  const moves = await page.locator(".moves-list button").allTextContents();
  assert.equal(moves.map((text) => text[0]).join(""), before.moves);
  await page.locator(".pit.legal").first().click();
  await untilReady(page, 4);
});

test("two tabs hold two games", async () => {
  const context = await awale.context();
  const one = await awale.open(twoPeople, {}, context);
  const two = await awale.open(twoPeople, {}, context);
  await pit(one, "A").click();
  await pit(two, "F").click();
  await untilMoves(one, "A");
  await untilMoves(two, "F");
  await pit(one, "b").click();
  await untilMoves(one, "Ab");
  assert.equal(tableOf(two).moves, "F");
  await two.reload();
  await untilReady(two, 1);
  assert.equal(tableOf(two).moves, "F");
});

test("an address that is changed by hand is followed", async () => {
  const page = await awale.open({ moves: "F", ...twoPeople });
  await untilReady(page, 1);
  await page.evaluate(() => (location.hash = location.hash.replace("moves=F", "moves=Aa")));
  await page.waitForFunction(() => document.querySelectorAll(".moves-list button").length === 2);
  const current = page.locator(".moves-list [aria-current] [aria-hidden]");
  assert.equal(await current.textContent(), "a");
});

test("rules that the agent does not know: the game stays, nothing is offered in vain", async () => {
  const rules = '{"capture_counts":"1,2","target_seeds":"30"}';
  const page = await awale.open({ rules, south: "agent" });
  const alert = page.getByRole("alert");
  await alert.waitFor();
  assert.match(await alert.textContent(), /trained for/);
  assert.equal(await alert.getByRole("button").count(), 0);
  assert.equal(tableOf(page).rules, rules);
});

const impossible = {
  "an illegal move": { moves: "FF" },
  "an illegal move that is not shown": { moves: "FfX", at: "1" },
  "no such rules": { rules: "chess" },
  "no such parameter": { rules: '{"seeds":"many"}' },
  "no such position": { start: "4-4-4" },
};

for (const [what, words] of Object.entries(impossible)) {
  test(`${what} in the address is one line of error, and leads to a new game`, async () => {
    const page = await awale.context().then((context) => context.newPage());
    const given = new URLSearchParams({ ...twoPeople, simulations: "7", ...words });
    await page.goto(`${awale.server.url}#${given}`);
    const alert = page.getByRole("alert");
    await alert.waitFor();
    assert.equal(await alert.count(), 1);
    assert.match(await alert.textContent(), /^The game in the address cannot be played\..*says: ./);
    assert.deepEqual(await alert.getByRole("button").allTextContents(), ["New game"]);
    await alert.getByRole("button").click();
    await untilReady(page, 0);
    assert.equal(await alert.count(), 0);
    const fresh = await awale.open();
    await untilReady(fresh, 0);
    assert.equal(page.url(), fresh.url());
  });
}
