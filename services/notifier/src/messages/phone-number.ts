/** Masks all digits of a phone number but the last two. */
export const maskedNumber = (to: string): string => `•••${to.replaceAll(/\D/g, '').slice(-2)}`;

/** A number as providers take it, `+` and digits alone, from one as contacts have it: `1-5551234567` (U3). */
export const internationalNumber = (to: string): string => `+${to.replaceAll(/\D/g, '')}`;
