import {
  applyDecorators,
  type CanActivate,
  createParamDecorator,
  type ExecutionContext,
  Inject,
  Injectable,
  SetMetadata,
  UseGuards,
} from '@nestjs/common';
import type { Response } from 'express';
import { WorkspaceUrls } from '#files';
import type { TokenSecret } from '#identity';
import { GuestReviews, Guests, type Allowance, type Share, type Visit } from '#sharing';
import { type ApiRequest, OwnPage, pathId, Public } from '../http/index.ts';
import { GuestCookie } from './guest-cookie.ts';

/** A request of a guest. */
export interface GuestRequest extends ApiRequest {
  share?: Share;
  visit?: Visit;
}

/**
 * Lets guests in by the token in the path and their cookie for that link, and by nothing else: API tokens and sessions of
 * members give no right here, and the cookie of a guest gives none elsewhere.
 */
@Injectable()
export class GuestGuard implements CanActivate {
  constructor(
    @Inject(Guests) private readonly guests: Guests,
    @Inject(GuestReviews) private readonly reviews: GuestReviews,
    @Inject(GuestCookie) private readonly cookie: GuestCookie,
    @Inject(WorkspaceUrls) private readonly urls: WorkspaceUrls,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const http = context.switchToHttp();
    const request = http.getRequest<GuestRequest>();
    http.getResponse<Response>().setHeader('X-Robots-Tag', 'noindex');
    const share = await this.guests.share(request.params['token'] as TokenSecret);
    request.share = share;
    request.urls = () => this.urls.as(share, { share });
    if (Reflect.hasMetadata(ENTRANCE, context.getHandler())) return true;
    const visit = await this.guests.visit(share, this.cookie.secretOf(request, share));
    request.visit = visit;
    const allowance = Reflect.getMetadata(WRITES, context.getHandler()) as Allowance | undefined;
    const [mediaId, commentId] = [pathId(request, 'id'), pathId(request, 'comment_id')];
    if (allowance && mediaId !== null) {
      request.checkAsGuest = () => this.reviews.assertMay(visit, allowance, mediaId, commentId);
    }
    return true;
  }
}

const ENTRANCE = Symbol('entrance');
const WRITES = Symbol('writes');

/** A route where a guest writes about a media item: that it exists and may be written about comes before the fields. */
export function GuestWrites(allowance: Allowance): MethodDecorator {
  return SetMetadata(WRITES, allowance);
}

/** A route where a guest gives the password. */
export function Entrance(): MethodDecorator {
  return (_prototype, _name, { value }: PropertyDescriptor) => Reflect.defineMetadata(ENTRANCE, true, value as object);
}

/** Marks the routes of guests: they are let in by a link. */
export const ForGuests = () => applyDecorators(Public(), UseGuards(OwnPage, GuestGuard));

const requestOf = (context: ExecutionContext) => context.switchToHttp().getRequest<GuestRequest>();

/** The link of the request. */
export const CurrentShare = createParamDecorator((_: unknown, context: ExecutionContext) => requestOf(context).share!);

/** The guest of the request, and the link. */
export const CurrentVisit = createParamDecorator((_: unknown, context: ExecutionContext) => requestOf(context).visit!);
