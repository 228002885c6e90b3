import { Controller, Get, Inject, Logger, Param, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { IssuedUrls, ObjectStorage } from '#files';
import { DomainError, type PageRequest } from '#kernel';
import { GuestDownloads, GuestReviews, Guests, triesPassword, ZipPlaces, type Share, type Visit } from '#sharing';
import { objectStorage } from '#wiring';
import { sendChunks } from '../download/send-chunks.ts';
import {
  clientAddress,
  PageQuery,
  PathId,
  Post,
  RequestBody,
  RequestQuery,
  Responds,
  CurrentUrls,
} from '../http/index.ts';
import { servableStorage, serveObject } from '../storage/serve-object.ts';
import { GuessLimit } from './guess-limit.ts';
import { GuestCookie } from './guest-cookie.ts';
import { CurrentShare, CurrentVisit, Entrance, ForGuests } from './guest-guard.ts';
import { LimitAddress } from './limit-address.ts';
import {
  EnterShareRequest,
  SharedMediaQuery,
  SharedMediaResponse,
  sharedMediaResponse,
  SharedResponse,
  sharedResponse,
  SharedZipQuery,
} from './shared.dto.ts';

const isWrongPassword = (error: unknown) => error instanceof DomainError && error.code === 'share_password_required';

const DONE = { name: 'guest-done', calls: 60, seconds: 3_600 } as const;
/** A video ends with the link. */
const AS_VIDEO = { contentDisposition: 'inline', cacheControl: 'no-store' } as const;

/** Views of a link for its guests. */
@Controller('v2/shared/:token')
@ForGuests()
export class SharedController {
  readonly #logger = new Logger('Downloads');
  readonly #zips = new ZipPlaces();

  constructor(
    @Inject(Guests) private readonly guests: Guests,
    @Inject(GuestReviews) private readonly reviews: GuestReviews,
    @Inject(GuestDownloads) private readonly downloads: GuestDownloads,
    @Inject(GuestCookie) private readonly cookie: GuestCookie,
    @Inject(GuessLimit) private readonly guesses: GuessLimit,
    @Inject(objectStorage) private readonly storage: ObjectStorage,
  ) {}

  @Get()
  @Responds(200, SharedResponse, {
    id: 'shared.get',
    summary: 'Open a share link',
    description:
      'Reads what a link shows to its guests; no account is needed. Returns the share, its folders, and the guest. An ' +
      'unknown, expired, switched off and deleted link are all 404.',
  })
  async getShared(@CurrentVisit() visit: Visit) {
    return sharedResponse(visit, await this.guests.open(visit));
  }

  @Post('enter')
  @Entrance()
  @Responds(200, SharedResponse, {
    id: 'shared.enter',
    summary: 'Enter a share link with a password or a name',
    description:
      'Lets a guest in by the password of the link, and takes the name for comments. Returns what `shared.get` does, and sets ' +
      'a cookie for this link. After ten wrong passwords for a link, or thirty for any, in 15 minutes an address has to wait, ' +
      'longer each time.',
    setsCookie: true,
  })
  async postEnter(
    @CurrentShare() share: Share,
    @RequestBody() { password, name }: EnterShareRequest,
    @Param('token') token: string,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ) {
    const given = { password: password ?? null, name: name ?? null };
    const enter = () => this.guests.enter(share, this.cookie.secretOf(request, share), given);
    const guess = { address: clientAddress(request.ip), shareId: share.id, isWrong: isWrongPassword };
    const { guest, secret, folders } = await (triesPassword(share, given.password)
      ? this.guesses.run(guess, response, enter)
      : enter());
    this.cookie.set(response, share, `/v2/shared/${token}`, secret);
    return sharedResponse({ share, guest }, folders);
  }

  @Post('done')
  @LimitAddress(DONE)
  @Responds(200, null, {
    id: 'shared.review.finalize',
    summary: 'End the review of a share link',
    description:
      'Tells the makers of the items and of the link that the guest is done, with the numbers of decisions and comments. ' +
      'Returns only `status`. The same numbers are told once. When a guest decides about the last item, they are told as well.',
    errors: ['forbidden', 'workspace_suspended', 'guest_name_required'],
  })
  async postDone(@CurrentVisit() visit: Visit) {
    await this.reviews.done(visit);
  }

  @Get('media')
  @Responds(200, SharedMediaResponse, {
    id: 'shared.media.list',
    summary: 'List the media items of a share link',
    description:
      'Lists the media items that a link shows now, newest first. Returns a page of them. With a watermark or label the ' +
      'pictures are marked copies, and 3D models have a marked preview alone. Items that `is_prepared` is false of are being made.',
  })
  async getMedia(
    @CurrentVisit() visit: Visit,
    @CurrentUrls() urls: IssuedUrls,
    @RequestQuery() { folder_id: folderId }: SharedMediaQuery,
    @PageQuery() page: PageRequest,
  ) {
    return sharedMediaResponse(await this.guests.items(visit, { folderId }, page), urls);
  }

  @Get('media/:id/versions')
  @Responds(200, SharedMediaResponse, {
    id: 'shared.media.versions.list',
    summary: 'List the versions of a shared media item',
    description: 'Lists the versions of a media item, newest first. Returns them all: at most 100.',
  })
  async getVersions(@CurrentVisit() visit: Visit, @CurrentUrls() urls: IssuedUrls, @PathId('id') mediaId: number) {
    return sharedMediaResponse({ items: await this.guests.versions(visit, mediaId), next: null }, urls);
  }

  @Get('media/:id/video')
  @Responds(200, null, {
    id: 'shared.media.play',
    summary: 'Play a video of a share link',
    description:
      'Sends a video of a link, whole or the range of the header `Range`, to be played and not saved: the original where it may ' +
      'be downloaded, else an MP4 of at most 960 pixels with the watermark and label of the link, once it is made (`is_playable`). ' +
      'Returns the bytes.',
    contentType: 'application/octet-stream',
  })
  async getVideo(
    @CurrentVisit() visit: Visit,
    @PathId('id') mediaId: number,
    @Req() request: Request,
    @Res() response: Response,
  ) {
    const key = await this.guests.video(visit, mediaId);
    const storage = servableStorage(this.storage);
    const serve = async () => {
      const object = await storage.serve(key);
      return object && { ...object, headers: { ...object.headers, ...AS_VIDEO } };
    };
    await serveObject(request, response, { serve }, key);
  }

  @Get('zip')
  @Responds(200, null, {
    id: 'shared.download',
    summary: 'Download the media items of a share link',
    description:
      'Streams a zip of the originals, or with a watermark or label of the marked pictures, in their folders. Returns the bytes. One ' +
      'download of a link, and four over all links, run at a time for each address.',
    errors: ['forbidden', 'download_running'],
    contentType: 'application/zip',
  })
  async getZip(
    @CurrentVisit() visit: Visit,
    @RequestQuery() { media_ids }: SharedZipQuery,
    @Req() request: Request,
    @Res() response: Response,
  ) {
    const free = this.#zips.take(clientAddress(request.ip), visit.share.id);
    try {
      const chunks = await this.downloads.open(visit, media_ids ?? null);
      response.writeHead(200, {
        'Content-Type': 'application/zip',
        'Content-Disposition': `attachment; filename="${new Date().toISOString().slice(0, 10)}.zip"`,
        'Cache-Control': 'no-store',
        'Referrer-Policy': 'no-referrer',
        'X-Content-Type-Options': 'nosniff',
        'X-Robots-Tag': 'noindex',
      });
      if (request.method === 'HEAD') return void response.end();
      // The response has begun: an error can only end it.
      await sendChunks(response, chunks).catch((error: unknown) => this.#logger.error('a download has failed', error));
    } finally {
      free();
    }
  }
}
