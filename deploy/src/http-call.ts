import http from 'node:http';

const WITHIN_MS = 10_000;

export interface HttpAnswer {
  readonly status: number;
  readonly body: string;
}

/**
 * One request to a port of this machine, of 127.0.0.1 by default. Plain `node:http`: `fetch` would cost the supervisor 20 MB.
 *
 * @throws Error when nothing answers within 10 s.
 */
export function httpCall(
  port: number,
  path: string,
  request: { host?: string; method?: string; headers?: Readonly<Record<string, string>>; body?: string } = {},
): Promise<HttpAnswer> {
  const { host = '127.0.0.1', method = 'GET', headers = {}, body } = request;
  return new Promise((resolve, reject) => {
    const options = { host, port, path, method, headers, agent: false, timeout: WITHIN_MS };
    const sent = http.request(options, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.once('error', reject);
      response.once('end', () => {
        resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks).toString('utf8') });
      });
    });
    sent.once('timeout', () => sent.destroy(new Error(`no answer within ${WITHIN_MS / 1000} s`)));
    sent.once('error', reject);
    sent.end(body);
  });
}
