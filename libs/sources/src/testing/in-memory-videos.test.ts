import { aFilm, InMemoryVideos } from './in-memory-videos.ts';
import { videosContract } from './videos-contract.ts';

videosContract(
  'InMemoryVideos',
  () => new InMemoryVideos(),
  async (film) => aFilm(film),
);
