/** Prints `N passed, N failed` over all reports that the last runs left; fails unless all is well. */
import { fileURLToPath } from 'node:url';
import { isGood, readReports, totalLine } from './reports.ts';
import { terminal } from './terminal.ts';

const reports = readReports(fileURLToPath(new URL('../..', import.meta.url)));
terminal.say(totalLine(reports));
process.exitCode = isGood(reports) ? 0 : 1;
