import { execFile } from 'node:child_process';
import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { obtainKubeconform, downloads } from '@tocsin/testkit';
import { schemaLocation, writeKindSchemas } from './kind-schemas.ts';
import { KUBERNETES_VERSION } from './rendered.ts';

/** The result of kubeconform for one object. */
interface CheckedResource {
  readonly kind: string;
  readonly name: string;
  readonly status: string;
  readonly msg: string;
}

/** Holds objects to the schemas of their kinds, those of operators too. */
export class Kubeconform {
  readonly #folder: string;
  readonly #program: string;

  private constructor(folder: string, program: string) {
    this.#folder = folder;
    this.#program = program;
  }

  static async prepare(): Promise<Kubeconform> {
    const program = await obtainKubeconform(downloads(), (line) => process.stderr.write(`${line}\n`));
    const folder = await fs.mkdtemp(path.join(os.tmpdir(), 'tocsin-schemas-'));
    await writeKindSchemas(folder);
    return new Kubeconform(folder, program);
  }

  /** The errors, a line each, and the number of objects; an object whose kind has no schema is an error too. */
  async judge(yaml: string): Promise<{ readonly problems: readonly string[]; readonly objects: number }> {
    const file = path.join(this.#folder, 'objects.yaml');
    await fs.writeFile(file, yaml);
    const args = ['-output', 'json', '-verbose', '-strict', '-kubernetes-version', KUBERNETES_VERSION];
    const { resources } = JSON.parse(
      await this.#run([...args, '-schema-location', schemaLocation(this.#folder), file]),
    ) as {
      readonly resources: readonly CheckedResource[];
    };
    const problems = resources
      .filter(({ status }) => status !== 'statusValid')
      .map(({ kind, name, msg }) => `${kind}/${name}: ${msg}`);
    return { problems, objects: resources.length };
  }

  async remove(): Promise<void> {
    await fs.rm(this.#folder, { recursive: true });
  }

  /** It ends with 1 where an object is wrong, and says the same. */
  async #run(args: readonly string[]): Promise<string> {
    return new Promise((resolve, reject) => {
      execFile(this.#program, [...args], { maxBuffer: 64 * 1024 * 1024 }, (error, stdout, stderr) => {
        if (stdout.trimStart().startsWith('{')) resolve(stdout);
        else reject(new Error(`kubeconform said: ${stderr || stdout || (error?.message ?? '')}`));
      });
    });
  }
}
