import { Reflector } from '@nestjs/core';

/** A route whose body is bytes that it reads from the request itself; the edges leave it alone. */
export const RawBody = Reflector.createDecorator<void, true>({ transform: () => true });
