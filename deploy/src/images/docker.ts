import os from 'node:os';
import { runCommand } from '../run-command.ts';
import { TroubleError } from '../trouble.ts';

/** How much of what a failed build said is shown. */
const SHOWN_LINES = 40;

/** The program `docker` and the engine that it talks to. */
export class Docker {
  readonly #signal: AbortSignal;

  readonly #command: string;

  /** `signal` ends the running commands; `command` is the program, `docker` by default. */
  constructor(signal: AbortSignal, command = 'docker') {
    this.#signal = signal;
    this.#command = command;
  }

  /** @throws TroubleError if no engine answers. */
  async requireEngine(): Promise<void> {
    const { ok, output } = await this.#run(['info', '--format', '{{.ServerVersion}}']);
    if (ok) return;
    const said = output.split('\n').at(-1) ?? '';
    throw new TroubleError(
      `No Docker engine answers: ${said}\nInstall and start one (Debian: apt-get install docker.io, then dockerd), or set DOCKER_HOST.`,
    );
  }

  /** Pulls the image unless the engine has it. @throws TroubleError that names other ways to get the image. */
  async requireImage(name: string): Promise<void> {
    if (await this.has(name)) return;
    const { ok, output } = await this.#run(['pull', '--quiet', name]);
    if (ok) return;
    const said = output.split('\n').at(-1) ?? '';
    throw new TroubleError(
      [
        `The engine has no image ${name}, which the images stand on, and cannot pull it: ${said}`,
        '- With a mirror: NODE_IMAGE=mirror.example.com/node:24-bookworm-slim npm run images',
        `- From a machine that reaches a registry: docker save ${name} there, docker load here`,
        '- With npm and the packages of Debian alone, as root: npm run images -- --local-bases',
        'docs/how-to/build-images.md says more.',
      ].join('\n'),
    );
  }

  /** Builds one image; `folder` is its context. @throws TroubleError with the end of what the build said. */
  async build(tag: string, folder: string, args: readonly string[] = []): Promise<void> {
    const { ok, output } = await this.#run(['build', '--tag', tag, ...args, folder]);
    if (ok) return;
    throw new TroubleError(`${tag} could not be built:\n${output.split('\n').slice(-SHOWN_LINES).join('\n')}`);
  }

  /** Makes an image of the root file system in `archive`. @throws TroubleError */
  async load(archive: string, tag: string): Promise<void> {
    const { ok, output } = await this.#run(['import', '--change', 'CMD ["/bin/bash"]', archive, tag]);
    if (!ok) throw new TroubleError(`${tag} could not be made: ${output}`);
  }

  async has(tag: string): Promise<boolean> {
    const { ok } = await this.#run(['image', 'inspect', '--format', '{{.Id}}', tag]);
    return ok;
  }

  /** In bytes, with the layers that it shares with others. */
  async sizeOf(tag: string): Promise<number> {
    const { output } = await this.#run(['image', 'inspect', '--format', '{{.Size}}', tag]);
    return Number(output);
  }

  #run(args: readonly string[]) {
    return runCommand(this.#command, args, {
      cwd: os.tmpdir(),
      env: process.env,
      output: 'keep',
      signal: this.#signal,
    });
  }
}
