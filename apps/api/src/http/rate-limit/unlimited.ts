import { Reflector } from '@nestjs/core';

/** A public route that no rate limit counts, such as the files of the disk store or health checks. */
export const Unlimited = Reflector.createDecorator<void, true>({ transform: () => true });
