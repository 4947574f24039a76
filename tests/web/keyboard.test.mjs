import assert from "node:assert/strict";
import { test } from "node:test";
import {
  button,
  dialog,
  tableOf,
  twoPeople,
  untilMoves,
  untilReady,
  useAwale,
} from "./support.mjs";

const awale = useAwale();

const at = (page, ply) =>
  page.waitForFunction((ply) => {
    const words = new URLSearchParams(location.hash.slice(1));
    return Number(words.get("at") ?? words.get("moves").length) === ply;
  }, ply);

test("letters play, arrows step, u takes back, ? helps", async () => {
  const page = await awale.open(twoPeople);
  await untilReady(page, 0);
  await page.keyboard.press("f");
  await untilReady(page, 1);
  await page.keyboard.press("a");
  await untilReady(page, 2);
  assert.equal(tableOf(page).moves, "Fa");
  await page.keyboard.press("f");
  assert.equal(await page.locator(".says").textContent(), "Pit F is empty.");
  await page.keyboard.press("ArrowLeft");
  await at(page, 1);
  await page.keyboard.press("Home");
  await at(page, 0);
  await page.keyboard.press("ArrowRight");
  await at(page, 1);
  await page.keyboard.press("End");
  await at(page, 2);
  await page.keyboard.press("u");
  await untilMoves(page, "F");
  await page.keyboard.press("?");
  await dialog(page).waitFor();
  await page.keyboard.press("b");
  await page.keyboard.press("Escape");
  await dialog(page).waitFor({ state: "detached" });
  assert.equal(tableOf(page).moves, "F");
});

test("h asks for a hint", async () => {
  const page = await awale.open({ simulations: "4", ...twoPeople });
  await untilReady(page, 0);
  await page.keyboard.press("h");
  await page.locator(".pit.hint").waitFor();
  assert.equal(tableOf(page).moves, "");
});

test("Tab reaches the pits, Enter plays, and the focus is seen", async () => {
  const page = await awale.open(twoPeople);
  await untilReady(page, 0);
  const focused = () =>
    page.evaluate(() => document.activeElement?.querySelector(".unseen")?.textContent);
  for (let presses = 0; !/^Pit C,/.test((await focused()) ?? ""); ++presses) {
    assert.ok(presses < 40, "pit C is not reached");
    await page.keyboard.press("Tab");
  }
  const outline = await page.evaluate(() => getComputedStyle(document.activeElement).outlineStyle);
  assert.equal(outline, "solid");
  assert.match(await page.locator(".says").textContent(), /last seed on a/);
  await page.keyboard.press("Enter");
  await untilMoves(page, "C");
});

test("letters typed into a field play nothing", async () => {
  const page = await awale.open(twoPeople);
  await untilReady(page, 0);
  await button(page, "Load").click();
  await dialog(page).getByLabel("Or paste the game here").fill("");
  await page.keyboard.type("FfBe");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await untilMoves(page, "FfBe");
  assert.equal(await dialog(page).count(), 0);
});
