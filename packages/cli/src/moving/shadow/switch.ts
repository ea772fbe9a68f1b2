import type { ApiClient, ApiRequest } from '../../api-client.ts';

/** Where Tocsin has the switch of shadow (M1). */
export const SWITCH_PATH = '/v2/account/shadow';

/** Whether messages are held back, and who changed that last. */
export interface Shadow {
  readonly enabled: boolean;
  readonly changedAt: string;
  readonly changedBy?: string;
}

export const readShadow = async (api: ApiClient, request: Pick<ApiRequest, 'onceOnly'> = {}): Promise<Shadow> =>
  (await api.send('GET', SWITCH_PATH, request))['data'] as Shadow;
