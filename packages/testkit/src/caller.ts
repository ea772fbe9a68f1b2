/** The thread that calls the service for `measuredAnswer`: what it takes is no part of a turn of the service. */
import { request } from 'node:http';
import { parentPort } from 'node:worker_threads';

/** One request of a caller to a server of this machine. */
export interface Call {
  readonly port: number;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The body of a POST, which is JSON. Without it the request is a GET. */
  readonly body?: string;
}

/** How a call ended: the status of its answer, whose text is dropped, or why there was none. */
export type Called = { readonly status: number } | { readonly failed: string };

parentPort?.on('message', ({ body, headers, path, port }: Call) => {
  const method = body === undefined ? 'GET' : 'POST';
  const sent = { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) };
  const end = (called: Called): void => {
    parentPort?.postMessage(called);
  };
  request({ port, host: '127.0.0.1', method, path, headers: sent, agent: false }, (response) => {
    response.resume().once('end', () => {
      end({ status: response.statusCode ?? 0 });
    });
  })
    .once('error', ({ message }) => {
      end({ failed: message });
    })
    .end(body);
});
