import assert from "node:assert/strict";
import { test } from "node:test";
import { button, pit, serve, tableOf, untilReady, useAwale } from "./support.mjs";

const awale = useAwale();

test("a server that goes away is one line, and the game goes on when it is back", async () => {
  const page = await awale.open({ simulations: "2" });
  await untilReady(page, 0);
  const { port } = new URL(awale.server.url);
  await awale.server.stop();
  await pit(page, "F").click();
  await page.getByRole("alert").waitFor();
  assert.equal(await page.getByRole("alert").count(), 1);
  assert.match(await page.getByRole("alert").textContent(), /The server does not answer/);
  await button(page, "Try again").click();
  await page.getByRole("alert").waitFor();

  awale.server = await serve(port);
  await button(page, "Try again").click();
  await untilReady(page, 2);
  assert.equal(await page.getByRole("alert").count(), 0);
  assert.match(tableOf(page).moves, /^F[a-f]$/);
});

test("a server that stays busy is asked again when the player wants it", async () => {
  const page = await awale.open({ simulations: "2" });
  await untilReady(page, 0);
  const busy = { status: 503, headers: { "Retry-After": "0" }, json: { error: "busy" } };
  await page.route("**/api/move", (route) => route.fulfill(busy));
  await pit(page, "F").click();
  await page.getByRole("alert").filter({ hasText: "The server says: busy" }).waitFor();
  await page.unroute("**/api/move");
  await button(page, "Try again").click();
  await untilReady(page, 2);
});
