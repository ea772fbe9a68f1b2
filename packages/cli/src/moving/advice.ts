/** What to do where the address or the key of an API is wrong, a sentence each. */
export interface Advice {
  readonly address: string;
  readonly unknownKey: readonly string[];
  readonly keyOfTeam: string;
  readonly keyWithoutRight: string;
}

const MAKE_A_KEY = 'Make one in Settings, API key management, with Read and Configuration access.';

export const OPSGENIE_ADVICE: Advice = {
  address: 'The API is at https://api.opsgenie.com, for accounts in the EU at https://api.eu.opsgenie.com.',
  unknownKey: [
    'It may be revoked, its integration switched off, or it is of the other region: ' +
      'accounts in the EU are at https://api.eu.opsgenie.com.',
    MAKE_A_KEY,
  ],
  keyOfTeam: MAKE_A_KEY,
  keyWithoutRight: `A key without Configuration access reads alerts alone. ${MAKE_A_KEY}`,
};

const NAME_TOCSIN = 'Name the installation of Tocsin by `tocsin profile use`, or by TOCSIN_URL and TOCSIN_KEY.';
const USE_A_KEY = 'Use a key of Tocsin that may read the configuration and is of no team: see `tocsin key --help`.';

export const TOCSIN_ADVICE: Advice = {
  address: NAME_TOCSIN,
  unknownKey: [NAME_TOCSIN],
  keyOfTeam: USE_A_KEY,
  keyWithoutRight: USE_A_KEY,
};

const USE_A_WRITING_KEY =
  'Use a key of Tocsin that may read and write the configuration and is of no team: see `tocsin key --help`.';

/** Of a command that writes the configuration. */
export const TOCSIN_WRITE_ADVICE: Advice = {
  ...TOCSIN_ADVICE,
  keyOfTeam: USE_A_WRITING_KEY,
  keyWithoutRight: USE_A_WRITING_KEY,
};
