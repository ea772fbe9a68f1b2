import type { Response } from 'express';
import type { FileReply } from './route.ts';

/** What separates folders, or may not be in the name of a file on some system. */
const NOT_IN_A_FILE_NAME = /[\p{Cc}/\\:*?"<>|]+/gu;

/** Sends a file to be saved under its name; letters outside of ASCII reach clients that can read them (RFC 6266). */
export function sendFile(response: Response, { file }: FileReply): void {
  if (response.headersSent || response.destroyed) return;
  const name = file.name.toWellFormed().replace(NOT_IN_A_FILE_NAME, '_');
  response.attachment(name).set('Content-Type', file.type).end(file.content);
}
