import assert from "node:assert/strict";
import { test } from "node:test";
import { pit, tableOf, twoPeople, untilReady, useAwale } from "./support.mjs";

const awale = useAwale();

test("the live analysis deepens and follows the position", async () => {
  const page = await awale.open(twoPeople);
  await untilReady(page, 0);
  await page.getByRole("switch").check();
  await page.waitForFunction(() =>
    document.querySelector(".expected .aside")?.textContent.includes("10,000"),
  );
  const rows = page.locator(".analysis tbody tr:not(.verdict) th");
  assert.deepEqual(await rows.allTextContents(), ["A", "B", "C", "D", "E", "F"]);

  // One that is never answered is given up when the position changes.
  await page.getByRole("switch").uncheck();
  await page.route("**/api/analyze", () => {}, { times: 1 });
  const asked = page.waitForRequest("**/api/analyze");
  await page.getByRole("switch").check();
  const held = await asked;
  const given = page.waitForEvent("requestfailed", (request) => request === held);
  await pit(page, "F").click();
  await given;
  await page.waitForFunction(
    () => document.querySelector(".analysis tbody th")?.textContent === "a",
  );
  assert.equal(tableOf(page).analysis, "");
});

test("what is certain is called solved", async () => {
  const start = "0-0-0-0-1-1-1-0-0-0-2-0-20-23-S";
  const page = await awale.open({ start, analysis: "", ...twoPeople });
  await page.locator('.details[aria-busy="false"] .badge').waitFor();
  assert.equal(await page.locator(".badge").textContent(), "solved");
  const best = await page.locator(".analysis .best th").textContent();
  const line = await page.locator(".line b").textContent();
  assert.equal(line[0], best);
});

test("the chances of the network are shown", async () => {
  const page = await awale.open({ analysis: "", ...twoPeople });
  await page.locator(".chances").waitFor();
  const texts = await page.locator(".chances .scale span").allTextContents();
  const total = texts.reduce((sum, text) => sum + Number(/(\d+)%/.exec(text)[1]), 0);
  assert.ok(Math.abs(total - 100) <= 2, texts.join(", "));
  assert.ok((await page.locator(".margins rect").count()) >= 13);
});

test("an over game has no analysis", async () => {
  const start = "0-0-0-0-1-1-1-0-2-0-0-0-23-20-S";
  const page = await awale.open({ start, moves: "F", analysis: "", ...twoPeople });
  await page.locator("[data-over]").waitFor();
  assert.equal(await page.locator(".details").count(), 0);
  assert.equal(await page.locator(".error-line").count(), 0);
  assert.match(await page.locator(".analysis").textContent(), /The game is over/);
});
