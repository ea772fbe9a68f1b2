import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import fs from 'node:fs';
import path from 'node:path';

const FINISHED = 'http.server.response.finish';

/** Services say by this header who asks; who calls from outside does not have it. */
const PRINCIPAL_HEADER = 'x-tocsin-principal';

/**
 * Which requests the HTTP servers of this process answered while one test file ran, and with which status. They are left in
 * `reports/answers/<kind>/`, one file for each test file, once `npm test` has removed those of earlier runs.
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
