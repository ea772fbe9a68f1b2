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
 * Gives the path of a program that Go builds once from released modules and keeps in `dir`, apart from those of the users of this
 * machine. Go checks the modules by the public checksum database.
 *
 * @throws MissingPartError when Go is missing, or cannot fetch the modules.
 */
export async function installGoProgram(dir: string, program: GoProgram, say: Say): Promise<string> {
  const { module, command, version } = program;
  const name = path.basename(command);
  const folder = await filledOnce(path.join(dir, `${name}-${version}`), async (target) => {
    const go = await obtainGo(dir, say);
    say(`${name} ${version}: building it (takes minutes the first time)`);
    await run(dir, [`GOBIN=${target}`, go, 'install', `${module}/${command}@v${version}`]).catch((error: unknown) => {
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
  const go = await obtainGo(dir, say);
  say(`${module} ${version}: asking Go for its sources`);
  const answer = await run(dir, [go, 'mod', 'download', '-json', `${module}@v${version}`]).catch((error: unknown) => {
    throw new MissingPartError(`Go could not fetch ${module} ${version}: ${lastLine(error)}. Check the network.`);
  });
  return folderOf(answer);
}

/** From this minor release on, Go fetches the release that a module requires by itself. */
const FETCHES_SINCE = 21;
/** The replacement of an older Go. It comes as a module, and is checked like others. */
const TOOLCHAIN = 'go1.25.0';

/** @throws MissingPartError when Go is missing, or is too old and cannot fetch a newer one. */
async function obtainGo(dir: string, say: Say): Promise<string> {
  const version = await tried('go', ['version']);
  if (version === undefined) throw new MissingPartError('Go is missing. Install the package golang-go.');
  if (Number(/go1\.(\d+)/.exec(version)?.[1]) >= FETCHES_SINCE) return 'go';
  const folder = await filledOnce(path.join(dir, TOOLCHAIN), async (target) => {
    say(`${TOOLCHAIN}: downloading it (60 MB), as that of this machine is too old`);
    await fillToolchain(dir, target).catch((error: unknown) => {
      throw new MissingPartError(`Go is too old, and could not fetch ${TOOLCHAIN}: ${lastLine(error)}.`);
    });
  });
  return path.join(folder, 'bin', 'go');
}

async function fillToolchain(dir: string, target: string): Promise<void> {
  const platform = (await run(dir, ['go', 'env', 'GOHOSTOS', 'GOHOSTARCH'])).trim().replace(/\s+/, '-');
  const module = `golang.org/toolchain@v0.0.1-${TOOLCHAIN}.${platform}`;
  const sources = folderOf(await run(dir, ['go', 'mod', 'download', '-json', module]));
  await output('cp', ['-R', `${sources}/.`, target]);
  // A file of a module must not be run.
  await output('chmod', ['-R', 'u+x', path.join(target, 'bin'), path.join(target, 'pkg')]);
}

/** The folder that `go mod download -json` names. */
const folderOf = (answer: string): string =>
  (JSON.parse(answer.slice(answer.indexOf('{'), answer.lastIndexOf('}') + 1)) as { readonly Dir: string }).Dir;

/** A folder outside of every module, so that no `go.mod` of this machine has an effect. */
async function run(dir: string, command: readonly string[]): Promise<string> {
  const kept = [`GOPATH=${path.join(dir, 'go')}`, `GOCACHE=${path.join(dir, 'go-build')}`];
  const exactly = ['GOTOOLCHAIN=auto', 'GOFLAGS=-modcacherw -buildvcs=false', 'GOWORK=off'];
  return output('env', [...kept, ...exactly, ...command], '/');
}
