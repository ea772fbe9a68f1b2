/** One page of a list, and how the caller asked for it. */
export interface Page {
  /** Scheme and host, without a trailing slash. */
  readonly publicUrl: string;
  /** Begins with a slash. */
  readonly path: string;
  /** Further parameters of the query, such as sort and order; undefined values are left out. */
  readonly query: Readonly<Record<string, string | number | undefined>>;
  /** 0 or more: how many items come before this page. */
  readonly offset: number;
  /** 1 or more. */
  readonly limit: number;
  /** How many items there are on all pages. */
  readonly total: number;
}

/** Absolute URLs (A12). */
export interface PageUrls {
  readonly first: string;
  readonly last: string;
  readonly prev?: string;
  readonly next?: string;
}

/** The links of one page (A12): following `next` visits each item once and ends; `prev` is absent on the first page. */
export function pageUrls({ publicUrl, path, query, offset, limit, total }: Page): PageUrls {
  const url = (at: number): string => {
    const asked = new URLSearchParams();
    const values: Page['query'] = { ...query, offset: at, limit };
    for (const [name, value] of Object.entries(values)) {
      if (value !== undefined) asked.set(name, String(value));
    }
    return `${publicUrl}${path}?${asked.toString()}`;
  };
  const last = total <= 0 ? 0 : Math.floor((total - 1) / limit) * limit;
  return {
    first: url(0),
    last: url(last),
    ...(offset > 0 && { prev: url(Math.max(offset - limit, 0)) }),
    ...(offset + limit < total && { next: url(offset + limit) }),
  };
}
