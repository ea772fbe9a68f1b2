import { setTimeout as pause } from 'node:timers/promises';

const { GATEWAY_URL, API_KEY, WITHIN_SECONDS } = process.env;
const until = performance.now() + Number(WITHIN_SECONDS) * 1_000;

/**
 * Calls the API at GATEWAY_URL with API_KEY; while it cannot be reached or answers 429, 502, 503 or 504 it tries again, until
 * WITHIN_SECONDS after the start of the process.
 */
export async function call(method, path, body) {
  return await eventually(`${method} ${path}`, async () => {
    const response = await fetch(`${GATEWAY_URL}${path}`, {
      method,
      headers: { authorization: `GenieKey ${API_KEY}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(10_000),
    });
    const text = await response.text();
    if ([429, 502, 503, 504].includes(response.status)) throw new Error(`${response.status} ${text}`);
    return { status: response.status, text, json: () => JSON.parse(text) };
  });
}

/** The first answer of `look` that is not undefined; it is asked again, also after it failed, until the time is over. */
export async function eventually(what, look) {
  for (let last = 'not yet'; ; await pause(500)) {
    try {
      const found = await look();
      if (found !== undefined) return found;
    } catch (error) {
      last = error.cause?.message ?? error.message;
    }
    if (performance.now() > until) throw new Error(`${what}: ${last}, after ${WITHIN_SECONDS} s`);
  }
}
