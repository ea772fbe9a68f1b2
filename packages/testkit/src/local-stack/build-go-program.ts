import path from 'node:path';
import { lastLine, MissingPartError, output, tried, type Say } from './downloads.ts';

/**
 * Builds the Go program in the folder `source`, with exactly the modules in its `go.sum`, and writes it to `target`. Modules and their
 * builds are kept in `dir`, apart from those of the users of this machine.
 *
 * @throws MissingPartError when Go is missing, or cannot fetch the modules.
 */
export async function buildGoProgram(dir: string, source: string, target: string, say: Say): Promise<void> {
  if ((await tried('go', ['version'])) === undefined)
    throw new MissingPartError('Go is missing. Install the package golang-go.');
  say('Go program: building it (downloads 3 MB the first time)');
  const kept = [`GOPATH=${path.join(dir, 'go')}`, `GOCACHE=${path.join(dir, 'go-build')}`];
  const exactly = ['GOTOOLCHAIN=local', 'GOFLAGS=-mod=readonly -modcacherw -buildvcs=false', 'GOWORK=off'];
  await output('env', [...kept, ...exactly, 'go', 'build', '-o', target, '.'], source).catch((error: unknown) => {
    throw new MissingPartError(`Go could not build ${source}: ${lastLine(error)}. Check the network.`);
  });
}
