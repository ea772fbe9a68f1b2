import { hash, randomBytes } from 'node:crypto';

const TOKEN = /^[\w-]{43}$/;

/** A token that cannot be guessed: 256 random bits as 43 characters of base64url. */
export const newSessionToken = (): string => randomBytes(32).toString('base64url');

/** Whether `text` has the form of a token. */
export const isSessionToken = (text: string): boolean => TOKEN.test(text);

/** The only form in which a token is stored or looked up (K21): its SHA-256, as 64 lower-case hex digits. */
export const hashSessionToken = (token: string): string => hash('sha256', token, 'hex');
