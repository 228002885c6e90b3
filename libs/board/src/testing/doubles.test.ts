import { InMemoryPictures } from '#testing/sources';
import { aFilm, InMemoryVideos, pictureDerivativesContract, videosContract } from './index.ts';

pictureDerivativesContract('InMemoryPictures', () => {
  const pictures = new InMemoryPictures();
  return { derivatives: pictures, pictures };
});

videosContract(
  'InMemoryVideos',
  () => new InMemoryVideos(),
  async (film) => aFilm(film),
);
