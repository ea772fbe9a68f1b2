/** Every mail that Tocsin sends carries this header, so that a mail which comes in with it is known as one of ours (P10). */
export const DELIVERY_ID_HEADER = 'X-Tocsin-Delivery-Id';
