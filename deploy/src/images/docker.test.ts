import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { TroubleError } from '../trouble.ts';
import { Docker } from './docker.ts';

const IMAGE = 'node:24-bookworm-slim';

describe('an image that others stand on', () => {
  let folder: string;

  beforeEach(() => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'tocsin-docker-'));
  });
  afterEach(() => {
    fs.rmSync(folder, { recursive: true });
  });

  /** A program in place of docker that answers `image inspect` and `pull` with these statuses. */
  const docker = (inspect: number, pull: number): Docker => {
    const program = path.join(folder, 'docker');
    const answer = 'echo "dial tcp: lookup registry.example.com: no such host" >&2';
    const script = `#!/bin/sh\ncase "$1" in image) exit ${inspect} ;; pull) ${answer}; exit ${pull} ;; esac\nexit 9\n`;
    fs.writeFileSync(program, script, { mode: 0o755 });
    return new Docker(new AbortController().signal, program);
  };

  test('is there, or is pulled', async () => {
    await expect(docker(0, 1).requireImage(IMAGE)).resolves.toBeUndefined();
    await expect(docker(1, 0).requireImage(IMAGE)).resolves.toBeUndefined();
  });

  test('that can be neither ends the build before it starts, with a sentence that names the ways out', async () => {
    const error = await docker(1, 1)
      .requireImage(IMAGE)
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(TroubleError);
    const { message } = error as TroubleError;
    expect(message).toContain(`The engine has no image ${IMAGE}`);
    expect(message).toContain('no such host');
    for (const way of ['NODE_IMAGE=', 'docker load', '--local-bases', 'docs/how-to/build-images.md'])
      expect(message).toContain(way);
  });
});
