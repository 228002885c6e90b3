import type { NextFunction, Request, Response } from 'express';

const HEADERS = new Map([
  ['X-Content-Type-Options', 'nosniff'],
  ['Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'"],
  ['Referrer-Policy', 'no-referrer'],
  // Any page may show what the service serves; what it may call is a matter of tokens.
  ['Cross-Origin-Resource-Policy', 'cross-origin'],
  // Answers hold tokens and other people's work; routes that serve files say otherwise.
  ['Cache-Control', 'no-store'],
]);

export function secureHeaders(_request: Request, response: Response, next: NextFunction): void {
  response.setHeaders(HEADERS);
  next();
}
