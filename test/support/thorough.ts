/** Set by `npm run test:all`: each race more often, each journey at both widths, each page in both themes. */
export const THOROUGH = process.env.THOROUGH === '1';
