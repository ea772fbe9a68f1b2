/**
 * Runs a script of this repository on Node 24, whatever Node this is (20 or newer), after making sure that the
 * dependencies are those of the lock file: `node deploy/bootstrap.mjs [--asks] <script> [arguments]`. Depends on nothing
 * installed. A script that asks the person at the terminal something reads what is typed; the others read nothing.
 */
import { spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const OLDEST_NODE = 20;
const NEEDED_NODE = 24;
const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const modules = path.join(root, 'node_modules');

const major = (version) => Number(version.replace(/^v/, '').split('.')[0]);

function fail(message) {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}

const readJson = (file) => {
  try {
    return JSON.parse(fs.readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
};

/** Whether every package of the lock file that every platform needs is there in the version of the lock file. */
function installed() {
  const wanted = readJson(path.join(root, 'package-lock.json'))?.packages ?? {};
  const present = readJson(path.join(modules, '.package-lock.json'))?.packages;
  if (present === undefined) return false;
  return Object.entries(wanted).every(
    ([place, { version, optional, link }]) =>
      !place.startsWith('node_modules/') ||
      optional === true ||
      (present[place] !== undefined && (link === true || present[place].version === version)),
  );
}

function install() {
  if (installed()) return;
  process.stdout.write('Installing the dependencies (npm ci)\n');
  const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  const npm = process.env.npm_execpath;
  const [command, first] = npm?.endsWith('.js') ? [process.execPath, [npm]] : ['npm', []];
  const { status } = spawnSync(command, [...first, ...args], { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] });
  if (status !== 0) fail('The dependencies could not be installed: npm ci failed, see above.');
}

function node24() {
  const bundled = path.join(modules, '.bin', 'node');
  if (fs.existsSync(bundled)) return bundled;
  if (major(process.version) >= NEEDED_NODE) return process.execPath;
  return fail(
    `There is no Node ${NEEDED_NODE} for this platform in npm: install Node ${NEEDED_NODE} or newer and try again.`,
  );
}

function run(node, [first, ...others]) {
  const asks = first === '--asks';
  const [script, ...args] = asks ? others : [first, ...others];
  const flags = [
    '--conditions=source',
    '--disable-warning=TimeoutNegativeWarning',
    '--disable-warning=ExperimentalWarning',
  ];
  const child = spawn(node, [...flags, path.resolve(root, script), ...args], {
    cwd: root,
    // Of its own group, so that Ctrl-C reaches it once, through us; the channel closes when this process ends.
    detached: true,
    stdio: [asks ? 'inherit' : 'ignore', 'inherit', 'inherit', 'ipc'],
    env: {
      ...process.env,
      // Compiled code is kept for the next start: it halves the time, and no process has to load the type stripper.
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? path.join(modules, '.cache', 'tocsin'),
      PATH: `${path.join(modules, '.bin')}${path.delimiter}${process.env.PATH ?? ''}`,
    },
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.once('error', (error) => fail(`Node ${NEEDED_NODE} does not start: ${error.message}`));
  child.once('exit', (code, signal) => {
    if (signal === null) process.exit(code ?? 1);
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
}

if (major(process.version) < OLDEST_NODE) fail(`Node ${OLDEST_NODE} or newer is needed, this is ${process.version}.`);
const command = process.argv.slice(2);
if (command.length === 0) fail('Say which script to run: node deploy/bootstrap.mjs <script> [arguments]');
install();
run(node24(), command);
