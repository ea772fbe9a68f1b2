import { execFile } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { KAFKA_JARS } from './kafka-jars.ts';

const OTHER_BYTES = 'PK tampered';

let folder: string;
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'tocsin-tampered-'));
});
afterEach(() => {
  fs.rmSync(folder, { recursive: true });
});

/** Programs that fetch a file of the right name with other bytes, and write down all other calls. */
const programs: Readonly<Record<string, string>> = {
  java: 'echo \'openjdk version "17.0.15"\'',
  mvn: `for word; do case "$word" in -DoutputDirectory=*) libs="\${word#*=}"; /bin/mkdir -p "$libs"
    for jar in ${[...KAFKA_JARS.keys()].join(' ')}; do printf '${OTHER_BYTES}' > "$libs/$jar"; done;; esac; done`,
  python3: `case "$*" in *download*) while [ "$1" != -d ]; do shift; done; printf '${OTHER_BYTES}' > "$2/mongod.whl";;
    *version*) ;; *) echo "$0 $*" >> "$USED";; esac`,
  'apt-get': `case "$*" in *download*) printf '${OTHER_BYTES}' > alertmanager.deb;; esac`,
  'dpkg-deb': 'case "$*" in *version*) ;; *) echo "$0 $*" >> "$USED";; esac',
};

/** The result of obtaining with these programs. */
async function obtained(what: string): Promise<{ outcome: unknown; left: readonly string[]; used: boolean }> {
  const bin = path.join(folder, 'bin');
  const downloads = path.join(folder, 'downloads');
  fs.mkdirSync(bin);
  for (const [name, script] of Object.entries(programs))
    fs.writeFileSync(path.join(bin, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  const source = `
    import { obtain${what} } from ${JSON.stringify(new URL('index.ts', import.meta.url).href)};
    const outcome = await obtain${what}(${JSON.stringify(downloads)}, () => {}).catch(({ name, message }) => ({ name, message }));
    console.log(JSON.stringify(outcome));`;
  const used = path.join(folder, 'used');
  const options = { env: { PATH: bin, USED: used } };
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', source], options);
  return { outcome: JSON.parse(stdout), left: fs.readdirSync(downloads), used: fs.existsSync(used) };
}

describe('a download of other bytes than we tested', () => {
  test.each([
    ['Mongod', 'mongod.whl'],
    ['Kafka', 'HdrHistogram-2.2.2.jar'],
    ['Alertmanager', 'alertmanager.deb'],
  ])('of %s is refused by its name before anything is unpacked, and leaves nothing', async (what, file) => {
    expect(await obtained(what)).toEqual({
      outcome: {
        name: 'MissingPartError',
        message: expect.stringContaining(`${file} is not the file we know: not used.`) as unknown,
      },
      left: [],
      used: false,
    });
  });
});
