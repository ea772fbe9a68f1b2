export { authorize } from './authorize.ts';
export { NOT_AUTHENTICATED, parseCredentials } from './credentials.ts';
export type { Credentials, ParsedCredentials } from './credentials.ts';
export { hashKey, isKeyShaped } from './key.ts';
export { isServiceCaller, PRINCIPAL_HEADER } from './principal.ts';
export type { Caller, Principal, ServiceCaller } from './principal.ts';
export { PrincipalSigner } from './principal-signer.ts';
export { PrincipalVerifier } from './principal-verifier.ts';
