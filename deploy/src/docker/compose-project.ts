import type { DataFolder } from '../data-folder.ts';
import { runCommand } from '../run-command.ts';
import { TroubleError } from '../trouble.ts';

/** How long containers may take to become healthy once their images are there. */
const HEALTHY_WITHIN_S = 600;

/** The containers, networks and volumes of the installation of one data folder, which has the variables of Compose. */
export class ComposeProject {
  readonly #root: string;
  readonly #folder: DataFolder;

  constructor(root: string, folder: DataFolder) {
    this.#root = root;
    this.#folder = folder;
  }

  /** How a person asks for something else of it. */
  get command(): string {
    return `docker compose --env-file ${this.#folder.composeFile}`;
  }

  /**
   * Resolves when every container is healthy, or has done what it had to do once. Images that are missing are built or pulled first.
   *
   * @throws TroubleError when one is not; Compose has said which.
   */
  async up(signal: AbortSignal): Promise<void> {
    const args = ['up', '--detach', '--remove-orphans', '--wait', '--wait-timeout', String(HEALTHY_WITHIN_S)];
    if (await this.#run(args, signal)) return;
    throw new TroubleError(
      `Docker Compose did not bring everything up, see above. What a service said: ${this.command} logs <service>`,
    );
  }

  /** Stops every container; volumes and what containers said stay. Nothing that runs is no failure. */
  async stop(): Promise<void> {
    if (await this.#run(['stop'])) return;
    throw new TroubleError(`Docker Compose did not stop everything, see above. What still runs: ${this.command} ps`);
  }

  /** Removes containers, networks and volumes, and with them the data. */
  async remove(): Promise<void> {
    if (await this.#run(['down', '--volumes', '--remove-orphans'])) return;
    throw new TroubleError('Docker Compose did not remove everything, see above. Nothing else was removed.');
  }

  async #run(args: readonly string[], signal?: AbortSignal): Promise<boolean> {
    const { ok } = await runCommand('docker', ['compose', '--env-file', this.#folder.composeFile, ...args], {
      cwd: this.#root,
      // Compose believes its environment rather than the file: what was decided goes before what the person has set.
      env: { ...process.env, ...this.#folder.composeVariables() },
      output: 'show',
      ...(signal === undefined ? {} : { signal }),
    });
    return ok;
  }
}
