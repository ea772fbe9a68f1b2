export {
  accessTo,
  actorName,
  alertActor,
  boundTeam,
  isOfAccount,
  mayActAs,
  readsAccount,
  readsSecrets,
  requireOwnership,
  requireSelf,
  requireWrite,
  sendingIntegration,
  teamKeyRefused,
  writeRefused,
} from './access.ts';
export type { Access, EntityWrite, SendingIntegration, TeamOwned, Writers } from './access.ts';
export { authorize, authorizeCall } from './authorize.ts';
export { CodeHasher } from './code-hasher.ts';
export { CodeSealer } from './code-sealer.ts';
export { CodeSigner } from './code-signer.ts';
export { isEqualInConstantTime } from './constant-time.ts';
export { consoleCookies, cookieValue, isLoopback, signInNeedsHttps } from './console-cookies.ts';
export type { ConsoleCookies } from './console-cookies.ts';
export { NOT_AUTHENTICATED, parseCredentials } from './credentials.ts';
export type { Credentials, ParsedCredentials } from './credentials.ts';
export { hashKey, isKeyShaped, webhookSecretOf } from './key.ts';
export { LinkSigner } from './link-signer.ts';
export type { LinkPurpose, SignedLink } from './link-signer.ts';
export {
  isPersonHolder,
  isServiceCaller,
  limitHolder,
  PERSON_ROLES,
  personRole,
  PRINCIPAL_HEADER,
} from './principal.ts';
export type { Caller, KeyPrincipal, PersonRole, Principal, ServiceCaller, UserPrincipal } from './principal.ts';
export { PrincipalSigner } from './principal-signer.ts';
export { PrincipalVerifier } from './principal-verifier.ts';
export { hashSessionToken, isSessionToken, newSessionToken } from './session-token.ts';
