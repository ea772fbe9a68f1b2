/** Masks all digits of a phone number but the last two. */
export const maskedNumber = (to: string): string => `•••${to.replaceAll(/\D/g, '').slice(-2)}`;
