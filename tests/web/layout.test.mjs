import assert from "node:assert/strict";
import { test } from "node:test";
import axe from "axe-core";
import { dialog, twoPeople, untilReady, useAwale } from "./support.mjs";

const awale = useAwale();

const middle = { moves: "FfBeBbDdDaFeCcDa", simulations: "8", analysis: "", ...twoPeople };
const over = { start: "0-0-0-0-1-1-1-0-2-0-0-0-23-20-S", moves: "F", ...twoPeople };

// The page as it is in the middle of a game, with each dialog, at the end, and where it refuses.
async function forEachView(options, visit) {
  const page = await awale.open(middle, options);
  await page.locator('.details[aria-busy="false"]').waitFor();
  await visit(page, "in mid-game");
  for (let i = 0; i < 4; ++i) {
    await page.locator(".top-bar nav button").nth(i).click();
    await dialog(page).waitFor();
    await visit(page, `dialog ${i}`);
    await page.keyboard.press("Escape");
    await dialog(page).waitFor({ state: "detached" });
  }
  const end = await awale.open(over, options);
  await end.locator("[data-over]").waitFor();
  await visit(end, "over");
  await end.locator(".top-bar nav button").nth(1).click();
  await dialog(end).locator("textarea").fill(`[Variant "${"x".repeat(200)}"]\n1. F *`);
  await dialog(end).locator("[type=submit]").click();
  await dialog(end).getByRole("alert").waitFor();
  await visit(end, "a text that is refused");
  await end.keyboard.press("Escape");
  await end.evaluate(() => (location.hash = "moves=FF"));
  await end.getByRole("alert").waitFor();
  await visit(end, "an address that is refused");
}

for (const locale of ["en", "ca", "fi", "fr"]) {
  test(`a phone 360 px wide needs no scrolling sideways, ${locale}`, async () => {
    await forEachView({ viewport: { width: 360, height: 740 }, locale }, async (page, view) => {
      const wide = await page.evaluate(() =>
        [document.documentElement, document.querySelector("dialog")].map(
          (element) => element && element.scrollWidth - element.clientWidth,
        ),
      );
      assert.deepEqual(wide.map((by) => by ?? 0), [0, 0], view);
    });
  });
}

test("pits are large enough for fingers on a phone", async () => {
  const page = await awale.open(twoPeople, { viewport: { width: 360, height: 740 } });
  await untilReady(page, 0);
  for (const pit of await page.locator(".pit").all()) {
    const { width, height } = await pit.boundingBox();
    assert.ok(width >= 44 && height >= 44, `${width} x ${height}`);
  }
});

for (const colorScheme of ["light", "dark"]) {
  test(`axe finds nothing serious, ${colorScheme}`, async () => {
    await forEachView({ colorScheme, bypassCSP: true }, async (page, view) => {
      await page.evaluate(axe.source);
      const { violations, passes } = await page.evaluate(() => window.axe.run());
      assert.ok(passes.length > 10, view);
      const grave = violations
        .filter(({ impact }) => impact === "serious" || impact === "critical")
        .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join("\n")}`);
      assert.deepEqual(grave, [], view);
    });
  });
}
