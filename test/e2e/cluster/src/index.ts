/** What other programs that break an installation under load take of this one. */
export { Caller, refusalOf, type Answer } from './caller.ts';
export { command, endCommands } from './command.ts';
export { smtpServer, type MailConduct, type SunkMail } from './mail-sink.ts';
export { table } from './report.ts';
export { Settlements } from './settlements.ts';
