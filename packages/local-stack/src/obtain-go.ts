import path from 'node:path';
import { filledOnce, lastLine, MissingPartError, output, tried, type Say } from './downloads.ts';

/** A program that Go builds, of exactly one release: `helm.sh/helm/v3` has `cmd/helm`. */
interface GoProgram {
  readonly module: string;
  /** The folder of the program within its module; the program has the name of its last part. */
  readonly command: string;
  readonly version: string;
}

/**
 * Gives the path of a program that Go has built once of its released modules and keeps in `dir`, apart from those of whoever works on
 * this machine. Go checks the modules by the public table of their sums.
 *
 * @throws MissingPartError when Go is missing or too old, or cannot fetch the modules.
 */
export async function installGoProgram(dir: string, program: GoProgram, say: Say): Promise<string> {
  const { module, command, version } = program;
  const name = path.basename(command);
  const folder = await filledOnce(path.join(dir, `${name}-${version}`), async (target) => {
    await requireGo();
    say(`${name} ${version}: building it (takes minutes the first time)`);
    await go(dir, ['install', `${module}/${command}@v${version}`], [`GOBIN=${target}`]).catch((error: unknown) => {
      throw new MissingPartError(`Go could not build ${name} ${version}: ${lastLine(error)}. Check the network.`);
    });
  });
  return path.join(folder, name);
}

/**
 * Gives the folder with the sources of a module of exactly this version, which Go downloads once and keeps in `dir`.
 *
 * @throws MissingPartError when Go is missing, or cannot fetch the module.
 */
export async function obtainGoModule(dir: string, module: string, version: string, say: Say): Promise<string> {
  await requireGo();
  say(`${module} ${version}: asking Go for its sources`);
  const answer = await go(dir, ['mod', 'download', '-json', `${module}@v${version}`]).catch((error: unknown) => {
    throw new MissingPartError(`Go could not fetch ${module} ${version}: ${lastLine(error)}. Check the network.`);
  });
  return (JSON.parse(answer.slice(0, answer.lastIndexOf('}') + 1)) as { readonly Dir: string }).Dir;
}

async function requireGo(): Promise<void> {
  if ((await tried('go', ['version'])) === undefined)
    throw new MissingPartError('Go is missing. Install the package golang-go.');
}

/** Outside of every module, so that no `go.mod` of this machine has a say. */
async function go(dir: string, args: readonly string[], settings: readonly string[] = []): Promise<string> {
  const kept = [`GOPATH=${path.join(dir, 'go')}`, `GOCACHE=${path.join(dir, 'go-build')}`];
  const exactly = ['GOTOOLCHAIN=auto', 'GOFLAGS=-modcacherw -buildvcs=false', 'GOWORK=off'];
  return output('env', [...kept, ...exactly, ...settings, 'go', ...args], '/');
}
