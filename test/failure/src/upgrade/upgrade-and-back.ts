import { SERVICES } from '@tocsin/events';
import type { System } from '../fault.ts';
import { evidenceOf, missingEvidence } from './evidence.ts';
import { RELEASES, type ReleaseName } from './releases.ts';

/** To the release after the next one, and back. No step leaves a release out. */
const STEPS: readonly ReleaseName[] = ['next', 'after-next', 'next', 'present'];
/** How long all processes are of one release. */
const STAY_MS = 15_000;

const LOADER = new URL('./load-release.ts', import.meta.url);

/**
 * Upgrades the installation by two releases and rolls them back, one process after the other, so that both processes of a service and
 * all services are of two releases for a while.
 *
 * @throws Error where a release did not do what it has and the one before has not: then the exercise shows nothing.
 */
export async function upgradeAndBack(
  { services, sinks }: Pick<System, 'services' | 'sinks'>,
  pause: (ms: number) => Promise<unknown>,
): Promise<void> {
  for (const step of STEPS) {
    for (const number of [1, 2] as const)
      for (const service of SERVICES) {
        const replica = services.replica(service, number);
        await replica.stop();
        await replica.start(settingsOf(step));
      }
    await pause(STAY_MS);
    if (step === 'present') return;
    const missing = missingEvidence(step, await evidenceOf(RELEASES[step].acceptedBy, { services, sinks }));
    if (missing.length > 0) throw new Error(`The release ${step} did not run as such: ${missing.join(', ')}.`);
  }
}

/** The settings by which a process is of a release. */
export const settingsOf = (release: ReleaseName): Readonly<Record<string, string>> =>
  release === 'present' ? {} : { NODE_OPTIONS: `--import=${LOADER.href}?release=${release}` };
