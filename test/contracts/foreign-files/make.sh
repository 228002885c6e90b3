#!/bin/sh
# Makes the files of this folder but those that begin with `c2pa`, on Debian 12 with
# imagemagick libimage-exiftool-perl ffmpeg libheif-examples libavif-bin webp gifsicle libtiff-tools graphviz
# They are kept in the repository: tests need none of these programs.
set -eu
cd "$(dirname "$0")"
convert -seed 7 -size 48x32 plasma:teal-orange png24:/tmp/base.png
convert -seed 9 -size 48x32 plasma:navy-gold png24:/tmp/other.png
convert -seed 7 -size 128x64 plasma:teal-orange png24:/tmp/wide.png
convert /tmp/base.png -alpha set -channel A -evaluate set 60% png32:/tmp/clear.png
camera=http://cv.iptc.org/newscodes/digitalsourcetype/digitalCapture
tag() { exiftool -q -overwrite_original "$@"; }
owner='-XMP-dc:Rights=Somebody'
place='-GPSLatitude=51.5 -GPSLatitudeRef=N -GPSLongitude=7.2 -GPSLongitudeRef=E'

# ImageMagick 6.9
convert /tmp/base.png -set comment 'a comment' magick-comment.jpg
convert /tmp/base.png -colorspace CMYK -interlace JPEG magick-cmyk-progressive.jpg
convert /tmp/base.png -sampling-factor 4:1:1 -define jpeg:restart-interval=2 -colorspace Gray magick-grey.jpg
convert /tmp/base.png -set comment 'a comment' -set Author Somebody magick-texts.png
convert /tmp/base.png -colors 11 -interlace PNG png8:magick-palette-interlaced.png
convert /tmp/clear.png -depth 16 png64:magick-16-bits.png
convert -delay 10 -loop 3 /tmp/base.png /tmp/other.png -set comment 'a comment' -layers optimize magick-animated.gif
convert /tmp/base.png -endian MSB -compress zip -set comment 'a comment' magick-big-endian.tif
convert /tmp/base.png /tmp/other.png -compress lzw magick-pages.tif
convert /tmp/base.png -threshold 50% -compress group4 magick-fax.tif
convert /tmp/base.png TIFF64:magick-bigtiff.tif
convert /tmp/clear.png magick-transparent.webp
convert /tmp/base.png magick.heic

# ExifTool 12.57
convert /tmp/base.png exiftool-everything.jpg
tag $place "$owner" -IPTC:Keywords=fox -Comment='a comment' -EXIF:Artist=Somebody -MakerNoteCanon= \
  -Photoshop:URL=https://example.com exiftool-everything.jpg
convert /tmp/base.png exiftool-extended.jpg
head -c 66000 /dev/zero | tr '\0' x > /tmp/long
tag "$owner" '-XMP-dc:Description<=/tmp/long' exiftool-extended.jpg
convert /tmp/base.png exiftool-thumbnail.jpg
convert /tmp/base.png -resize 16x /tmp/small.jpg
tag '-ThumbnailImage<=/tmp/small.jpg' -Orientation#=6 exiftool-thumbnail.jpg
printf 'what follows the end' >> exiftool-thumbnail.jpg
convert /tmp/base.png exiftool-captured.jpg
tag "-XMP-iptcExt:DigitalSourceType=$camera" exiftool-captured.jpg
cp /tmp/base.png exiftool-everything.png
tag $place "$owner" -EXIF:Artist=Somebody -PNG:Title='a fox' -IPTC:Keywords=fox exiftool-everything.png
cp /tmp/base.png exiftool-compressed.png
tag -z "$owner" -PNG:Comment='a comment of some length, a comment of some length' exiftool-compressed.png
convert /tmp/base.png exiftool-everything.webp
tag $place "$owner" -EXIF:Artist=Somebody exiftool-everything.webp
convert /tmp/base.png exiftool-xmp.gif
tag "$owner" -Comment='a comment' exiftool-xmp.gif
convert /tmp/base.png -endian MSB exiftool-everything.tif
tag $place "$owner" -EXIF:Artist=Somebody -IPTC:Keywords=fox exiftool-everything.tif

# Metadata that ImageMagick copied
convert exiftool-everything.jpg magick-profiles.png
convert exiftool-captured.jpg magick-captured.png
convert exiftool-everything.jpg magick-profiles.webp

# cwebp and webpmux 1.2, gifsicle 1.93, libtiff 4.5
cwebp -quiet -lossless -exact /tmp/clear.png -o cwebp-lossless.webp
cwebp -quiet -q 60 -alpha_q 50 -metadata all /tmp/clear.png -o cwebp-alpha.webp
img2webp -loop 2 -d 80 /tmp/base.png /tmp/other.png -o img2webp-animated.webp > /dev/null 2>&1
gifsicle --interlace --comment 'a comment' --loopcount=2 --colors 4 magick-animated.gif -o gifsicle-interlaced.gif 2> /dev/null
convert /tmp/base.png /tmp/base.tif
tiffcp -t -w 16 -l 16 -c jpeg -r 16 /tmp/base.tif libtiff-tiled-jpeg.tif

# heif-enc of libheif 1.15, avifenc of libavif 0.11
cp exiftool-everything.jpg /tmp/everything.jpg
heif-enc -q 40 /tmp/everything.jpg -o heif-enc-metadata.heic > /dev/null
heif-enc -q 40 -t 16 /tmp/clear.png -o heif-enc-alpha-thumbnail.heic > /dev/null
heif-enc -A -q 40 /tmp/base.png -o heif-enc.avif > /dev/null
avifenc -s 8 /tmp/everything.jpg avifenc-metadata.avif > /dev/null
avifenc -s 8 --grid 2x1 /tmp/wide.png avifenc-grid.avif > /dev/null
avifenc -s 8 --fps 10 /tmp/base.png /tmp/other.png avifenc-sequence.avif > /dev/null

# FFmpeg 5.1
film="-f lavfi -i testsrc2=size=64x48:rate=10:duration=1"
sound="-f lavfi -i sine=frequency=440:duration=1"
encode() { ffmpeg -v error -y "$@"; }
h264='-c:v libx264 -pix_fmt yuv420p -crf 40'
encode $film $sound $h264 -c:a aac -b:a 16k -metadata title='a fox' -metadata location=+51.5+007.2/ \
  -movflags +faststart ffmpeg-faststart.mp4
encode $film $h264 -metadata title='a fox' ffmpeg-index-last.mp4
encode $film $h264 -g 4 -movflags +frag_keyframe+empty_moov+default_base_moof ffmpeg-fragments.mp4
encode $film $h264 -g 4 -movflags +dash+global_sidx+frag_keyframe ffmpeg-dash.mp4
encode $film -c:v libx265 -x265-params log-level=error -crf 40 -tag:v hvc1 ffmpeg-hevc.mp4
encode $film $h264 -movflags use_metadata_tags -metadata com.example.owner=Somebody ffmpeg-tags.mp4
cp ffmpeg-index-last.mp4 exiftool-xmp.mp4
tag "$owner" -Keys:Author=Somebody exiftool-xmp.mp4
encode -i /tmp/base.png -c:v libaom-av1 -still-picture 1 -cpu-used 8 ffmpeg-still.avif
encode $film -frames:v 3 -c:v libwebp_anim -loop 0 ffmpeg-animated.webp
encode $film -frames:v 2 -plays 0 -f apng ffmpeg-animated.png
encode $film -frames:v 2 ffmpeg-animated.gif
encode -i /tmp/base.png -q:v 8 -metadata comment='a comment' ffmpeg.jpg

# Graphviz 2.43
printf 'digraph { a -> b [label="fox & hare"] }' | dot -Tsvg > graphviz.svg
