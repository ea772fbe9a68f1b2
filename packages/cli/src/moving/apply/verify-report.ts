import { counted } from '../../output/text.ts';
import { type Section, valueText } from '../plan/report.ts';
import type { Deviation, Verification } from './verify.ts';

export const verificationSummary = ({ equal, things }: Verification, snapshot = 'the snapshot'): string =>
  `${equal} of ${counted(things, 'thing')} are as in ${snapshot}.`;

/** The things that are not as in the snapshot, or of which that is not known, a line each. */
export const deviationSections = (found: Verification): readonly Section[] => [
  ['Missing in Tocsin', linesOf(found, 'missing')],
  ['Different', linesOf(found, 'different')],
  ['Not known: not read from Opsgenie', found.unreadable.map(({ id, kind }) => `${kind} ${id}`)],
];

const linesOf = ({ deviations }: Verification, state: Deviation['state']): readonly string[] =>
  deviations
    .filter((each) => each.state === state)
    .map(({ fields, kind, name }) => {
      const texts = fields.map(
        ({ field, old, ours }) => `${field} is ${valueText(old)} in Opsgenie and ${valueText(ours)} in Tocsin`,
      );
      return `${kind} [${name}]${texts.length === 0 ? '' : `: ${texts.join('; ')}`}`;
    });
