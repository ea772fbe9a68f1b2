/** Prints what failed and then `N passed, N failed` over all reports that the last runs left; fails unless all is well. */
import { fileURLToPath } from 'node:url';
import { failureLines, isGood, readReports, totalLine } from './reports.ts';
import { terminal } from './terminal.ts';

const reports = readReports(fileURLToPath(new URL('../..', import.meta.url)));
for (const line of failureLines(reports)) terminal.say(line);
terminal.say(totalLine(reports));
process.exitCode = isGood(reports) ? 0 : 1;
