/** A principal of the kind that `accountKey` is; the packages that know principals are tested with this one. */
interface KeyPrincipal {
  readonly kind: 'key';
  readonly integrationId: string;
  readonly integrationName: string;
  readonly integrationType: string;
  readonly teamId: string | undefined;
  readonly mayWrite: boolean;
  readonly mayConfigure: boolean;
}

/** The principal of a key of the whole account that may do everything, as services receive it (K3, K6). */
export const accountKey: KeyPrincipal = {
  kind: 'key',
  integrationId: 'integration-1',
  integrationName: 'Default API',
  integrationType: 'API',
  teamId: undefined,
  mayWrite: true,
  mayConfigure: true,
};
