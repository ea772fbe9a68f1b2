/** Prints what took longest, what failed and then `N passed, N failed` over all reports that the last runs left; fails unless all is well. */
import { fileURLToPath } from 'node:url';
import { failureLines, isGood, readReports, slowestLines, totalLine } from './reports.ts';
import { terminal } from './terminal.ts';

const MAX_SHOWN = 40;

const reports = readReports(fileURLToPath(new URL('../..', import.meta.url)));
terminal.say('The files of tests that took longest:');
for (const line of slowestLines(reports, MAX_SHOWN)) terminal.say(line);
for (const line of failureLines(reports)) terminal.say(line);
terminal.say(totalLine(reports));
process.exitCode = isGood(reports) ? 0 : 1;
