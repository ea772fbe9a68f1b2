import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import fs from 'node:fs';
import path from 'node:path';

const FINISHED = 'http.server.response.finish';

/** The header in which services name the caller; callers from outside do not send it. */
const PRINCIPAL_HEADER = 'x-tocsin-principal';

/**
 * Records which requests the HTTP servers of this process answered during one test file, and with which status. It writes one file for
 * each test file into `reports/answers/<kind>/`; `npm test` has removed those of earlier runs.
 */
export class RecordedAnswers {
  #answers = new Set();
  #folder;
  #testFile;
  #record = ({ request, response }) => {
    const [target = ''] = (request.url ?? '').split('?', 1);
    const vouched = PRINCIPAL_HEADER in request.headers;
    this.#answers.add(JSON.stringify({ method: request.method, path: target, status: response.statusCode, vouched }));
  };

  constructor({ rootDir, displayName }, testPath) {
    this.#folder = path.join(rootDir, 'reports', 'answers', displayName?.name ?? 'unit');
    this.#testFile = path.relative(rootDir, testPath);
  }

  begin() {
    subscribe(FINISHED, this.#record);
  }

  end() {
    unsubscribe(FINISHED, this.#record);
    if (this.#answers.size === 0) return;
    fs.mkdirSync(this.#folder, { recursive: true });
    const file = path.join(this.#folder, `${this.#testFile.replaceAll(path.sep, '.')}.json`);
    const answers = [...this.#answers].map((answer) => JSON.parse(answer));
    fs.writeFileSync(file, `${JSON.stringify({ test: this.#testFile, answers })}\n`);
  }
}
