;; Finds usage in whole lines of a transcript. `node scripts/assemble.ts` makes of it
;; src/adapters/claude-code/transcripts/scanner-bytes.ts.
;;
;; A line without the bytes `"usage"` has no usage and is only searched for its end, 16 bytes at a time. Any other
;; line is checked from end to end as strict JSON without white space, and the few fields that matter are noted
;; where they stand: by their path, so that a `usage` inside a tool's input is none. A line that is anything else
;; (white space, a key that stands twice, an escape in an id, a number that is not a plain count, broken or glued
;; records) is handed back to be read by JSON.parse.
;;
;; Texts take long to make on the other side, so a result has its time in numbers and the number of its model's name
;; wherever that is easy to say; else where they stand. Of a line that was read nobody asks where it stands and ends:
;; in their places the result has the milliseconds, and whether the answer was fast.
;;
;; A `progress` record may have a whole record of a subagent in its `data.message`; what that one says is noted apart,
;; since only behind the last field it is sure which of the two counts.
;;
;; Memory: 0 names of fields, 256 kinds of bytes, 1024 open containers (512), 2048 noted fields (33, each 8 bytes),
;; 2560 names of models (16, each 64 bytes: its length and itself), 4088 how many results, 4096 results (64 bytes each,
;; 1024 of them), 131072 the block.
;; Containers: 0 array, 1 object, 2 record, 3 its message, 4 its usage, 5 its cache_creation, 6 its data, 7 to 10 the
;; record in the data and its message, usage and cache_creation.
;; Fields: 1 type, 2 message, 3 requestId, 4 timestamp, 5 id, 6 model, 7 usage, 8 input_tokens, 9 output_tokens,
;; 10 cache_read_input_tokens, 11 cache_creation_input_tokens, 12 cache_creation, 13 and 14 its 5m and 1h, 15 speed,
;; 16 data, 17 to 31 the first fifteen in the record in the data, 32 that record.
(module
  (memory (export "memory") 3)

  (data (i32.const 0) "type\00\00\00\00message\00requestId\00\00\00\00\00\00\00timestamp\00\00\00\00\00\00\00id\00\00\00\00\00\00model\00\00\00usage\00\00\00")
  (data (i32.const 72) "input_tokens\00\00\00\00output_tokens\00\00\00cache_read_input_tokens\00cache_creation_input_tokens\00\00\00\00\00")
  (data (i32.const 160) "ephemeral_5m_input_tokens\00\00\00\00\00\00\00ephemeral_1h_input_tokens\00\00\00\00\00\00\00assistant\00\00\00\00\00\00\00speed\00\00\00data\00\00\00\00")
  ;; Kinds, by bit: 1 may stand behind a backslash, 2 hexadecimal digit, 4 digit.
  (data (i32.const 290) "\01")
  (data (i32.const 303) "\01\06\06\06\06\06\06\06\06\06\06")
  (data (i32.const 321) "\02\02\02\02\02\02")
  (data (i32.const 348) "\01")
  (data (i32.const 353) "\02\03\02\02\02\03\00\00\00\00\00\00\00\01\00\00\00\01\00\01")

  (global $escaped (mut i32) (i32.const 0))
  (global $a (mut i32) (i32.const 0))
  (global $b (mut i32) (i32.const 0))
  (global $c (mut i32) (i32.const 0))
  (global $names (mut i32) (i32.const 0))

  ;; Scans whole lines; where to go on: at the end, or at the line for whose result there is no room.
  (func (export "scan") (param $at i32) (param $end i32) (result i32)
    (local $line i32) (local $hits i32) (local $hit i32)
    (local $lineEnds v128) (local $gs v128) (local $quotes v128)
    (local.set $lineEnds (i8x16.splat (i32.const 10)))
    (local.set $gs (i8x16.splat (i32.const 103)))
    (local.set $quotes (i8x16.splat (i32.const 34)))
    (local.set $line (local.get $at))
    (i32.store (i32.const 4088) (i32.const 0))
    (loop $blocks
      (if (i32.ge_u (local.get $at) (local.get $end)) (then (return (local.get $end))))
      ;; «g» and the quote behind it are rarer together than any other two bytes of the mark.
      (local.set $hits
        (i8x16.bitmask
          (v128.or
            (i8x16.eq (v128.load (local.get $at)) (local.get $lineEnds))
            (v128.and
              (i8x16.eq (v128.load offset=4 (local.get $at)) (local.get $gs))
              (i8x16.eq (v128.load offset=6 (local.get $at)) (local.get $quotes))))))
      (loop $each
        (if (local.get $hits)
          (then
            (local.set $hit (i32.add (local.get $at) (i32.ctz (local.get $hits))))
            (local.set $hits (i32.and (local.get $hits) (i32.sub (local.get $hits) (i32.const 1))))
            (if (i32.ge_u (local.get $hit) (local.get $end)) (then (return (local.get $end))))
            (if (i32.eq (i32.load8_u (local.get $hit)) (i32.const 10))
              (then (local.set $line (i32.add (local.get $hit) (i32.const 1))))
              (else
                ;; "usage" in its quotes
                (if (i64.eq
                      (i64.and (i64.load (local.get $hit)) (i64.const 0x00ffffffffffffff))
                      (i64.const 0x0022656761737522))
                  (then
                    (if (i32.eq (i32.load (i32.const 4088)) (i32.const 1024)) (then (return (local.get $line))))
                    (local.set $at (call $judge (local.get $line) (local.get $end)))
                    (br $blocks)))))
            (br $each))))
      (local.set $at (i32.add (local.get $at) (i32.const 16)))
      (br $blocks))
    (unreachable))

  ;; Checks one line and adds its result, if it has one; where the line ends.
  (func $judge (param $line i32) (param $end i32) (result i32)
    (local $at i32) (local $lineEnd i32) (local $noted i32) (local $speed i32)
    (memory.fill (i32.const 2048) (i32.const 0) (i32.const 264))
    (local.set $at (call $record (local.get $line) (local.get $end)))
    (if (i32.eqz (local.get $at))
      (then
        (local.set $lineEnd (call $lineEnd (local.get $line) (local.get $end)))
        (drop (call $add (local.get $line) (local.get $lineEnd) (i32.const 1)))
        (return (local.get $lineEnd))))
    (local.set $noted (i32.const 2048))
    ;; type is «progress»: the record in its data, which is noted sixteen fields later
    (if (i32.eq (i32.load (i32.const 2060)) (i32.const 8))
      (then
        (if (i64.eq (i64.load (i32.load (i32.const 2056))) (i64.const 0x73736572676f7270))
          (then (local.set $noted (i32.const 2176))))))
    ;; type is «assistant», there is an id, and usage is an object
    (if (i32.and
          (i32.and
            (i32.eq (i32.load offset=12 (local.get $noted)) (i32.const 9))
            (call $same
              (i32.load offset=8 (local.get $noted))
              (i32.const 224)
              (i32.load offset=12 (local.get $noted))))
          (i32.and
            (i32.ne (i32.load offset=40 (local.get $noted)) (i32.const 0))
            (i32.ne (i32.load offset=56 (local.get $noted)) (i32.const 0))))
      (then
        (local.set $speed
          (call $speed (i32.load offset=120 (local.get $noted)) (i32.load offset=124 (local.get $noted))))
        (if (i32.eq (local.get $speed) (i32.const 2))
          (then (drop (call $add (local.get $line) (local.get $at) (i32.const 1))))
          (else
            (call $note (call $add (local.get $line) (local.get $speed) (i32.const 0)) (local.get $noted))))))
    (local.get $at))

  ;; 0 usual, which is also what says nothing, 1 fast, 2 any other.
  (func $speed (param $at i32) (param $length i32) (result i32)
    (if (i32.eqz (local.get $length)) (then (return (i32.const 0))))
    (if (i32.eq (local.get $length) (i32.const 4))
      (then (return (select (i32.const 1) (i32.const 2) (i32.eq (i32.load (local.get $at)) (i32.const 0x74736166))))))
    (if (i32.eq (local.get $length) (i32.const 8))
      (then
        (return
          (select
            (i32.const 0)
            (i32.const 2)
            (i64.eq (i64.load (local.get $at)) (i64.const 0x647261646e617473))))))
    (i32.const 2))

  (func $lineEnd (param $at i32) (param $end i32) (result i32)
    (local $hits i32)
    (loop $blocks
      (if (i32.ge_u (local.get $at) (local.get $end)) (then (return (local.get $end))))
      (local.set $hits (i8x16.bitmask (i8x16.eq (v128.load (local.get $at)) (i8x16.splat (i32.const 10)))))
      (if (local.get $hits)
        (then
          (local.set $at (i32.add (local.get $at) (i32.ctz (local.get $hits))))
          (if (i32.gt_u (local.get $at) (local.get $end)) (then (return (local.get $end))))
          (return (local.get $at))))
      (local.set $at (i32.add (local.get $at) (i32.const 16)))
      (br $blocks))
    (unreachable))

  (func $add (param $line i32) (param $lineEnd i32) (param $isUnread i32) (result i32)
    (local $count i32) (local $to i32)
    (local.set $count (i32.load (i32.const 4088)))
    (local.set $to (i32.add (i32.const 4096) (i32.shl (local.get $count) (i32.const 6))))
    (i32.store (i32.const 4088) (i32.add (local.get $count) (i32.const 1)))
    (i32.store (local.get $to) (local.get $line))
    (i32.store offset=4 (local.get $to) (local.get $lineEnd))
    (i32.store offset=8 (local.get $to) (local.get $isUnread))
    (local.get $to))

  (func $note (param $to i32) (param $noted i32)
    (global.set $a (i32.const 0x811c9dc5))
    (global.set $b (i32.const 0x1b873593))
    (global.set $c (i32.const 0x2545f491))
    (call $mix (i32.load offset=40 (local.get $noted)) (i32.load offset=44 (local.get $noted)))
    ;; A byte of nothing stands between the two; there is one at 7.
    (call $mix (i32.const 7) (i32.const 1))
    (call $mix (i32.load offset=24 (local.get $noted)) (i32.load offset=28 (local.get $noted)))
    (i32.store offset=12 (local.get $to) (global.get $a))
    (i32.store offset=16 (local.get $to) (global.get $b))
    (i32.store offset=20 (local.get $to) (global.get $c))
    (i32.store offset=24 (local.get $to) (i32.load offset=64 (local.get $noted)))
    (i32.store offset=28 (local.get $to) (i32.load offset=72 (local.get $noted)))
    (i32.store offset=32 (local.get $to) (i32.load offset=80 (local.get $noted)))
    (i32.store offset=36 (local.get $to) (i32.load offset=88 (local.get $noted)))
    (i32.store offset=40 (local.get $to) (i32.load offset=104 (local.get $noted)))
    (i32.store offset=44 (local.get $to) (i32.load offset=112 (local.get $noted)))
    (call $noteModel
      (local.get $to)
      (i32.load offset=48 (local.get $noted))
      (i32.load offset=52 (local.get $noted)))
    (call $noteTime
      (local.get $to)
      (i32.load offset=32 (local.get $noted))
      (i32.load offset=36 (local.get $noted))))

  ;; The number of a name that is known, from 1 on; of another one where it stands and its length, whose highest bit
  ;; says that it has the next number from now on.
  (func $noteModel (param $to i32) (param $at i32) (param $length i32)
    (local $number i32) (local $known i32)
    (i32.store offset=48 (local.get $to) (local.get $at))
    (i32.store offset=52 (local.get $to) (local.get $length))
    (if (i32.or (i32.eqz (local.get $at)) (i32.gt_u (local.get $length) (i32.const 60))) (then (return)))
    (local.set $known (i32.const 2560))
    (loop $each
      (if (i32.lt_u (local.get $number) (global.get $names))
        (then
          (local.set $number (i32.add (local.get $number) (i32.const 1)))
          (if (i32.eq (i32.load (local.get $known)) (local.get $length))
            (then
              (if (call $same (local.get $at) (i32.add (local.get $known) (i32.const 4)) (local.get $length))
                (then
                  (i32.store offset=48 (local.get $to) (local.get $number))
                  (return)))))
          (local.set $known (i32.add (local.get $known) (i32.const 64)))
          (br $each))))
    (if (i32.eq (global.get $names) (i32.const 16)) (then (return)))
    (global.set $names (i32.add (global.get $names) (i32.const 1)))
    (i32.store (local.get $known) (local.get $length))
    (memory.copy (i32.add (local.get $known) (i32.const 4)) (local.get $at) (local.get $length))
    (i32.store offset=52 (local.get $to) (i32.or (local.get $length) (i32.const 0x80000000))))

  ;; The seconds since 1970 and the milliseconds, with a length of 0; of a time that is not written in the usual way where
  ;; it stands and its length.
  (func $noteTime (param $to i32) (param $at i32) (param $length i32)
    (local $seconds i32)
    (if (i32.or
          (i32.eq (local.get $length) (i32.const 24))
          (i32.eq (local.get $length) (i32.const 20)))
      (then (local.set $seconds (call $seconds (local.get $at) (local.get $length)))))
    (i32.store (local.get $to) (i32.const 0))
    (if (i32.and (i32.ne (local.get $seconds) (i32.const 0)) (i32.eq (local.get $length) (i32.const 24)))
      (then
        (i32.store
          (local.get $to)
          (i32.add
            (i32.mul (i32.sub (i32.load8_u offset=20 (local.get $at)) (i32.const 48)) (i32.const 100))
            (call $pair (i32.add (local.get $at) (i32.const 21)))))))
    (if (i32.or (i32.eqz (local.get $length)) (local.get $seconds))
      (then
        (i32.store offset=56 (local.get $to) (local.get $seconds))
        (i32.store offset=60 (local.get $to) (i32.const 0)))
      (else
        (i32.store offset=56 (local.get $to) (local.get $at))
        (i32.store offset=60 (local.get $to) (local.get $length)))))

  ;; Of 20YY-MM-DDThh:mm:ssZ, or with three digits of a fraction; 0 of everything else and of the days from the 29th on,
  ;; which not every month has.
  (func $seconds (param $at i32) (param $length i32) (result i32)
    (local $year i32) (local $month i32) (local $day i32) (local $hour i32) (local $minute i32) (local $second i32)
    (local.set $year (call $pair (i32.add (local.get $at) (i32.const 2))))
    (local.set $month (call $pair (i32.add (local.get $at) (i32.const 5))))
    (local.set $day (call $pair (i32.add (local.get $at) (i32.const 8))))
    (local.set $hour (call $pair (i32.add (local.get $at) (i32.const 11))))
    (local.set $minute (call $pair (i32.add (local.get $at) (i32.const 14))))
    (local.set $second (call $pair (i32.add (local.get $at) (i32.const 17))))
    ;; 20, the marks between, Z at the end
    (if (i32.ne (i32.and (i32.load (local.get $at)) (i32.const 0xffff)) (i32.const 0x3032)) (then (return (i32.const 0))))
    (if (i64.ne
          (i64.and (i64.load offset=4 (local.get $at)) (i64.const 0xff0000ff0000ff))
          (i64.const 0x5400002d00002d))
      (then (return (i32.const 0))))
    (if (i32.ne (i32.and (i32.load offset=13 (local.get $at)) (i32.const 0xff0000ff)) (i32.const 0x3a00003a))
      (then (return (i32.const 0))))
    (if (i32.ne (i32.load8_u (i32.add (local.get $at) (i32.sub (local.get $length) (i32.const 1)))) (i32.const 90))
      (then (return (i32.const 0))))
    (if (i32.eq (local.get $length) (i32.const 24))
      (then
        (if (i32.or
              (i32.ne (i32.load8_u offset=19 (local.get $at)) (i32.const 46))
              (i32.or
                (i32.gt_u (call $pair (i32.add (local.get $at) (i32.const 20))) (i32.const 99))
                (i32.gt_u (call $pair (i32.add (local.get $at) (i32.const 21))) (i32.const 99))))
          (then (return (i32.const 0))))))
    (if (i32.or
          (i32.or
            (i32.gt_u (local.get $year) (i32.const 99))
            (i32.or
              (i32.gt_u (i32.sub (local.get $month) (i32.const 1)) (i32.const 11))
              (i32.gt_u (i32.sub (local.get $day) (i32.const 1)) (i32.const 27))))
          (i32.or
            (i32.gt_u (local.get $hour) (i32.const 23))
            (i32.or
              (i32.gt_u (local.get $minute) (i32.const 59))
              (i32.gt_u (local.get $second) (i32.const 59)))))
      (then (return (i32.const 0))))
    ;; Years begin in March, so that the day that is sometimes there is the last. From 2000 to 2099 every fourth has it.
    (if (i32.le_u (local.get $month) (i32.const 2))
      (then
        (local.set $month (i32.add (local.get $month) (i32.const 12)))
        (local.set $year (i32.sub (local.get $year) (i32.const 1)))))
    ;; A hundred years more keep the first of them, which began in March 1999, above zero; 36525 days, 10957 since 1970.
    (local.set $year (i32.add (local.get $year) (i32.const 100)))
    (local.set $day
      (i32.add
        (i32.add
          (i32.mul (local.get $year) (i32.const 365))
          (i32.div_u (local.get $year) (i32.const 4)))
        (i32.add
          (i32.div_u
            (i32.add (i32.mul (i32.sub (local.get $month) (i32.const 3)) (i32.const 153)) (i32.const 2))
            (i32.const 5))
          (local.get $day))))
    (i32.add
      (i32.mul (i32.sub (local.get $day) (i32.const 25509)) (i32.const 86400))
      (i32.add
        (i32.mul (i32.add (i32.mul (local.get $hour) (i32.const 60)) (local.get $minute)) (i32.const 60))
        (local.get $second))))

  ;; Two digits; 255 when they are not.
  (func $pair (param $at i32) (result i32)
    (local $tens i32) (local $ones i32)
    (local.set $tens (i32.sub (i32.load8_u (local.get $at)) (i32.const 48)))
    (local.set $ones (i32.sub (i32.load8_u offset=1 (local.get $at)) (i32.const 48)))
    (if (i32.or (i32.gt_u (local.get $tens) (i32.const 9)) (i32.gt_u (local.get $ones) (i32.const 9)))
      (then (return (i32.const 255))))
    (i32.add (i32.mul (local.get $tens) (i32.const 10)) (local.get $ones)))

  (func $mix (param $at i32) (param $length i32)
    (local $end i32) (local $byte i32) (local $a i32) (local $b i32) (local $c i32)
    (local.set $end (i32.add (local.get $at) (local.get $length)))
    (local.set $a (global.get $a))
    (local.set $b (global.get $b))
    (local.set $c (global.get $c))
    (loop $bytes
      (if (i32.lt_u (local.get $at) (local.get $end))
        (then
          (local.set $byte (i32.load8_u (local.get $at)))
          (local.set $a (i32.mul (i32.xor (local.get $a) (local.get $byte)) (i32.const 0x01000193)))
          (local.set $b
            (i32.mul (i32.xor (i32.rotl (local.get $b) (i32.const 5)) (local.get $byte)) (i32.const 0x27220a95)))
          (local.set $c
            (i32.mul (i32.add (i32.rotl (local.get $c) (i32.const 13)) (local.get $byte)) (i32.const 0x9e3779b1)))
          (local.set $at (i32.add (local.get $at) (i32.const 1)))
          (br $bytes))))
    (global.set $a (local.get $a))
    (global.set $b (local.get $b))
    (global.set $c (local.get $c)))

  ;; Reads a record; where it ends, or 0 when it is not one object and nothing else up to the end of the line.
  ;; Expected next: 0 a value, 1 what follows a value, 2 a key, 3 a key or the end, 4 a value or the end.
  (func $record (param $at i32) (param $end i32) (result i32)
    (local $byte i32) (local $expected i32) (local $depth i32) (local $container i32) (local $field i32)
    (local $seen i32) (local $stop i32) (local $own i32)
    (if (i32.ne (i32.load8_u (local.get $at)) (i32.const 123)) (then (return (i32.const 0))))
    (local.set $container (i32.const 2))
    (local.set $expected (i32.const 3))
    (local.set $at (i32.add (local.get $at) (i32.const 1)))
    (loop $tokens
      (if (i32.ge_u (local.get $at) (local.get $end)) (then (return (i32.const 0))))
      (local.set $byte (i32.load8_u (local.get $at)))
      (block $close
        (if (i32.eq (local.get $expected) (i32.const 1))
          (then
            (if (i32.eq (local.get $byte) (i32.const 44))
              (then
                (local.set $expected (select (i32.const 2) (i32.const 0) (local.get $container)))
                (local.set $field (i32.const 0))
                (local.set $at (i32.add (local.get $at) (i32.const 1)))
                (br $tokens)))
            ;; } of an object, ] of an array
            (br_if $close
              (i32.eq (local.get $byte) (select (i32.const 125) (i32.const 93) (local.get $container))))
            (return (i32.const 0))))

        (if (i32.and (i32.ge_u (local.get $expected) (i32.const 2)) (i32.ne (local.get $expected) (i32.const 4)))
          (then
            (if (i32.eq (local.get $byte) (i32.const 34))
              (then
                (local.set $at (i32.add (local.get $at) (i32.const 1)))
                (local.set $stop (call $text (local.get $at) (local.get $end)))
                (if (i32.eqz (local.get $stop)) (then (return (i32.const 0))))
                (if (i32.ne (i32.load8_u offset=1 (local.get $stop)) (i32.const 58)) (then (return (i32.const 0))))
                (local.set $field (i32.const 0))
                (if (i32.ge_u (local.get $container) (i32.const 2))
                  (then
                    (if (global.get $escaped) (then (return (i32.const 0))))
                    (local.set $field
                      (call $fieldOf
                        (local.get $container)
                        (local.get $at)
                        (i32.sub (local.get $stop) (local.get $at))))
                    ;; A shift by 32 is one by 0, and there is no field 0.
                    (if (local.get $field)
                      (then
                        (if (i32.and (i32.shr_u (local.get $seen) (local.get $field)) (i32.const 1))
                          (then (return (i32.const 0))))
                        (local.set $seen
                          (i32.or (local.get $seen) (i32.shl (i32.const 1) (local.get $field))))))))
                (local.set $at (i32.add (local.get $stop) (i32.const 2)))
                (local.set $expected (i32.const 0))
                (br $tokens)))
            (br_if $close
              (i32.and
                (i32.eq (local.get $byte) (i32.const 125))
                (i32.eq (local.get $expected) (i32.const 3))))
            (return (i32.const 0))))

        ;; a text
        (if (i32.eq (local.get $byte) (i32.const 34))
          (then
            (local.set $at (i32.add (local.get $at) (i32.const 1)))
            (local.set $stop (call $text (local.get $at) (local.get $end)))
            (if (i32.eqz (local.get $stop)) (then (return (i32.const 0))))
            (local.set $own (i32.and (local.get $field) (i32.const 15)))
            (if (i32.or
                  (i32.eq (local.get $own) (i32.const 15))
                  (i32.and
                    (i32.ne (local.get $own) (i32.const 0))
                    (i32.lt_u (local.get $own) (i32.const 7))))
              (then
                (if (global.get $escaped) (then (return (i32.const 0))))
                (i32.store offset=2048 (i32.shl (local.get $field) (i32.const 3)) (local.get $at))
                (i32.store offset=2052
                  (i32.shl (local.get $field) (i32.const 3))
                  (i32.sub (local.get $stop) (local.get $at)))))
            (local.set $at (i32.add (local.get $stop) (i32.const 1)))
            (local.set $expected (i32.const 1))
            (br $tokens)))
        ;; { and [
        (if (i32.eq (i32.or (local.get $byte) (i32.const 32)) (i32.const 123))
          (then
            (if (i32.eq (local.get $depth) (i32.const 511)) (then (return (i32.const 0))))
            (i32.store8 offset=1024 (local.get $depth) (local.get $container))
            (local.set $depth (i32.add (local.get $depth) (i32.const 1)))
            (local.set $at (i32.add (local.get $at) (i32.const 1)))
            (if (i32.eq (local.get $byte) (i32.const 91))
              (then
                (local.set $container (i32.const 0))
                (local.set $field (i32.const 0))
                (local.set $expected (i32.const 4))
                (br $tokens)))
            (local.set $container (i32.const 1))
            (local.set $own (i32.and (local.get $field) (i32.const 15)))
            (if (i32.eq (local.get $own) (i32.const 2)) (then (local.set $container (i32.const 3))))
            (if (i32.eq (local.get $own) (i32.const 7))
              (then
                (local.set $container (i32.const 4))
                (i32.store offset=2048 (i32.shl (local.get $field) (i32.const 3)) (i32.const 1))))
            (if (i32.eq (local.get $own) (i32.const 12)) (then (local.set $container (i32.const 5))))
            (if (i32.gt_u (local.get $field) (i32.const 16))
              (then
                (if (i32.ne (local.get $container) (i32.const 1))
                  (then (local.set $container (i32.add (local.get $container) (i32.const 5)))))))
            (if (i32.eq (local.get $field) (i32.const 16)) (then (local.set $container (i32.const 6))))
            (if (i32.eq (local.get $field) (i32.const 32)) (then (local.set $container (i32.const 7))))
            (local.set $expected (i32.const 3))
            (br $tokens)))
        (br_if $close
          (i32.and (i32.eq (local.get $byte) (i32.const 93)) (i32.eq (local.get $expected) (i32.const 4))))
        (local.set $expected (i32.const 1))
        ;; true, null, false
        (if (i32.eq (i32.load (local.get $at)) (i32.const 0x65757274))
          (then (local.set $at (i32.add (local.get $at) (i32.const 4))) (br $tokens)))
        (if (i32.eq (i32.load (local.get $at)) (i32.const 0x6c6c756e))
          (then (local.set $at (i32.add (local.get $at) (i32.const 4))) (br $tokens)))
        (if (i64.eq
              (i64.and (i64.load (local.get $at)) (i64.const 0xffffffffff))
              (i64.const 0x65736c6166))
          (then (local.set $at (i32.add (local.get $at) (i32.const 5))) (br $tokens)))
        (if (i32.ge_u (i32.and (local.get $field) (i32.const 15)) (i32.const 8))
          (then (local.set $at (call $count (local.get $at) (local.get $field))))
          (else (local.set $at (call $number (local.get $at)))))
        (br_if $tokens (local.get $at))
        (return (i32.const 0)))

      ;; the end of an object or array
      (local.set $at (i32.add (local.get $at) (i32.const 1)))
      (if (i32.eqz (local.get $depth))
        (then
          (if (i32.eq (local.get $at) (local.get $end)) (then (return (local.get $at))))
          (return
            (select
              (local.get $at)
              (i32.const 0)
              (i32.and
                (i32.lt_u (local.get $at) (local.get $end))
                (i32.eq (i32.load8_u (local.get $at)) (i32.const 10)))))))
      (local.set $depth (i32.sub (local.get $depth) (i32.const 1)))
      (local.set $container (i32.load8_u offset=1024 (local.get $depth)))
      (local.set $expected (i32.const 1))
      (br $tokens))
    (unreachable))

  ;; Where the text that begins here has its closing quote, or 0 when it has none or is not valid.
  (func $text (param $at i32) (param $end i32) (result i32)
    (local $bytes v128) (local $hits i32) (local $byte i32)
    (local $quotes v128) (local $backslashes v128) (local $spaces v128)
    (global.set $escaped (i32.const 0))
    (local.set $quotes (i8x16.splat (i32.const 34)))
    (local.set $backslashes (i8x16.splat (i32.const 92)))
    (local.set $spaces (i8x16.splat (i32.const 32)))
    (loop $blocks
      (if (i32.ge_u (local.get $at) (local.get $end)) (then (return (i32.const 0))))
      (local.set $bytes (v128.load (local.get $at)))
      (local.set $hits
        (i8x16.bitmask
          (v128.or
            (v128.or
              (i8x16.eq (local.get $bytes) (local.get $quotes))
              (i8x16.eq (local.get $bytes) (local.get $backslashes)))
            (i8x16.lt_u (local.get $bytes) (local.get $spaces)))))
      (if (i32.eqz (local.get $hits))
        (then
          (local.set $at (i32.add (local.get $at) (i32.const 16)))
          (br $blocks)))
      (local.set $at (i32.add (local.get $at) (i32.ctz (local.get $hits))))
      (if (i32.ge_u (local.get $at) (local.get $end)) (then (return (i32.const 0))))
      (local.set $byte (i32.load8_u (local.get $at)))
      (if (i32.eq (local.get $byte) (i32.const 34)) (then (return (local.get $at))))
      (if (i32.ne (local.get $byte) (i32.const 92)) (then (return (i32.const 0))))
      (global.set $escaped (i32.const 1))
      (local.set $byte (i32.load8_u offset=1 (local.get $at)))
      (if (i32.and (i32.load8_u offset=256 (local.get $byte)) (i32.const 1))
        (then
          (local.set $at (i32.add (local.get $at) (i32.const 2)))
          (br $blocks)))
      ;; u and four digits
      (if (i32.ne (local.get $byte) (i32.const 117)) (then (return (i32.const 0))))
      (if (i32.eqz
            (i32.and
              (i32.and
                (i32.and
                  (i32.load8_u offset=256 (i32.load8_u offset=2 (local.get $at)))
                  (i32.load8_u offset=256 (i32.load8_u offset=3 (local.get $at))))
                (i32.and
                  (i32.load8_u offset=256 (i32.load8_u offset=4 (local.get $at)))
                  (i32.load8_u offset=256 (i32.load8_u offset=5 (local.get $at)))))
              (i32.const 2)))
        (then (return (i32.const 0))))
      (local.set $at (i32.add (local.get $at) (i32.const 6)))
      (br $blocks))
    (unreachable))

  (func $fieldOf (param $container i32) (param $at i32) (param $length i32) (result i32)
    (local $name i32) (local $field i32) (local $inner i32)
    ;; The record in the data has the same fields.
    (if (i32.ge_u (local.get $container) (i32.const 7))
      (then
        (local.set $inner (i32.const 16))
        (local.set $container (i32.sub (local.get $container) (i32.const 5)))))
    (if (i32.eq (local.get $container) (i32.const 2))
      (then
        (if (i32.eq (local.get $length) (i32.const 4))
          (then
            (if (i32.eq (i32.load8_u (local.get $at)) (i32.const 116))
              (then (local.set $field (i32.const 1)))
              (else
                ;; Only a whole record's data is looked into.
                (if (i32.eqz (local.get $inner))
                  (then (local.set $field (i32.const 16)) (local.set $name (i32.const 248))))))))
        (if (i32.eq (local.get $length) (i32.const 7))
          (then (local.set $field (i32.const 2)) (local.set $name (i32.const 8))))
        (if (i32.eq (local.get $length) (i32.const 9))
          (then
            (if (i32.eq (i32.load8_u (local.get $at)) (i32.const 114))
              (then (local.set $field (i32.const 3)) (local.set $name (i32.const 16)))
              (else (local.set $field (i32.const 4)) (local.set $name (i32.const 32))))))))
    (if (i32.eq (local.get $container) (i32.const 3))
      (then
        (if (i32.eq (local.get $length) (i32.const 2))
          (then (local.set $field (i32.const 5)) (local.set $name (i32.const 48))))
        (if (i32.eq (local.get $length) (i32.const 5))
          (then
            (if (i32.eq (i32.load8_u (local.get $at)) (i32.const 109))
              (then (local.set $field (i32.const 6)) (local.set $name (i32.const 56)))
              (else (local.set $field (i32.const 7)) (local.set $name (i32.const 64))))))))
    (if (i32.eq (local.get $container) (i32.const 4))
      (then
        (if (i32.eq (local.get $length) (i32.const 5))
          (then (local.set $field (i32.const 15)) (local.set $name (i32.const 240))))
        (if (i32.eq (local.get $length) (i32.const 12))
          (then (local.set $field (i32.const 8)) (local.set $name (i32.const 72))))
        (if (i32.eq (local.get $length) (i32.const 13))
          (then (local.set $field (i32.const 9)) (local.set $name (i32.const 88))))
        (if (i32.eq (local.get $length) (i32.const 23))
          (then (local.set $field (i32.const 10)) (local.set $name (i32.const 104))))
        (if (i32.eq (local.get $length) (i32.const 27))
          (then (local.set $field (i32.const 11)) (local.set $name (i32.const 128))))
        ;; The beginning of the name before.
        (if (i32.eq (local.get $length) (i32.const 14))
          (then (local.set $field (i32.const 12)) (local.set $name (i32.const 128))))))
    (if (i32.eq (local.get $container) (i32.const 6))
      (then
        (if (i32.eq (local.get $length) (i32.const 7))
          (then (local.set $field (i32.const 32)) (local.set $name (i32.const 8))))))
    (if (i32.eq (local.get $container) (i32.const 5))
      (then
        (if (i32.eq (local.get $length) (i32.const 25))
          (then
            (if (i32.eq (i32.load8_u offset=10 (local.get $at)) (i32.const 53))
              (then (local.set $field (i32.const 13)) (local.set $name (i32.const 160)))
              (else (local.set $field (i32.const 14)) (local.set $name (i32.const 192))))))))
    (if (i32.eqz (local.get $field)) (then (return (i32.const 0))))
    (select
      (i32.add (local.get $field) (local.get $inner))
      (i32.const 0)
      (call $same (local.get $at) (local.get $name) (local.get $length))))

  (func $same (param $one i32) (param $other i32) (param $length i32) (result i32)
    (local $end i32)
    (local.set $end (i32.add (local.get $one) (local.get $length)))
    (loop $bytes
      (if (i32.ge_u (local.get $one) (local.get $end)) (then (return (i32.const 1))))
      (if (i32.ne (i32.load8_u (local.get $one)) (i32.load8_u (local.get $other))) (then (return (i32.const 0))))
      (local.set $one (i32.add (local.get $one) (i32.const 1)))
      (local.set $other (i32.add (local.get $other) (i32.const 1)))
      (br $bytes))
    (unreachable))

  ;; Notes a count of at most nine digits; behind it, or 0 when it is another number.
  (func $count (param $at i32) (param $field i32) (result i32)
    (local $value i32) (local $start i32) (local $byte i32)
    (local.set $start (local.get $at))
    (loop $digits
      (local.set $byte (i32.load8_u (local.get $at)))
      (if (i32.and (i32.load8_u offset=256 (local.get $byte)) (i32.const 4))
        (then
          (local.set $value
            (i32.add (i32.mul (local.get $value) (i32.const 10)) (i32.sub (local.get $byte) (i32.const 48))))
          (local.set $at (i32.add (local.get $at) (i32.const 1)))
          (br_if $digits (i32.le_u (i32.sub (local.get $at) (local.get $start)) (i32.const 9)))
          (return (i32.const 0)))))
    (if (i32.eq (local.get $at) (local.get $start)) (then (return (i32.const 0))))
    ;; No zero in front of others; neither a fraction nor an exponent.
    (if (i32.and
          (i32.eq (i32.load8_u (local.get $start)) (i32.const 48))
          (i32.ne (i32.sub (local.get $at) (local.get $start)) (i32.const 1)))
      (then (return (i32.const 0))))
    (i32.store offset=2048 (i32.shl (local.get $field) (i32.const 3)) (local.get $value))
    (local.get $at))

  ;; Behind a number of any kind, or 0 when it is none.
  (func $number (param $at i32) (result i32)
    (local $start i32) (local $byte i32)
    (if (i32.eq (i32.load8_u (local.get $at)) (i32.const 45))
      (then (local.set $at (i32.add (local.get $at) (i32.const 1)))))
    (local.set $start (local.get $at))
    (local.set $at (call $digits (local.get $at)))
    (if (i32.eq (local.get $at) (local.get $start)) (then (return (i32.const 0))))
    (if (i32.and
          (i32.eq (i32.load8_u (local.get $start)) (i32.const 48))
          (i32.ne (i32.sub (local.get $at) (local.get $start)) (i32.const 1)))
      (then (return (i32.const 0))))
    (if (i32.eq (i32.load8_u (local.get $at)) (i32.const 46))
      (then
        (local.set $start (i32.add (local.get $at) (i32.const 1)))
        (local.set $at (call $digits (local.get $start)))
        (if (i32.eq (local.get $at) (local.get $start)) (then (return (i32.const 0))))))
    (if (i32.eq (i32.or (i32.load8_u (local.get $at)) (i32.const 32)) (i32.const 101))
      (then
        (local.set $start (i32.add (local.get $at) (i32.const 1)))
        (local.set $byte (i32.load8_u (local.get $start)))
        (if (i32.or
              (i32.eq (local.get $byte) (i32.const 43))
              (i32.eq (local.get $byte) (i32.const 45)))
          (then (local.set $start (i32.add (local.get $start) (i32.const 1)))))
        (local.set $at (call $digits (local.get $start)))
        (if (i32.eq (local.get $at) (local.get $start)) (then (return (i32.const 0))))))
    (local.get $at))

  (func $digits (param $at i32) (result i32)
    (loop $each
      (if (i32.and (i32.load8_u offset=256 (i32.load8_u (local.get $at))) (i32.const 4))
        (then
          (local.set $at (i32.add (local.get $at) (i32.const 1)))
          (br $each))))
    (local.get $at))

  ;; The check sum of check-sum.ts, of numbers of four bytes.
  (func (export "sum") (param $at i32) (param $end i32) (result i32)
    (local $sums v128) (local $factors v128) (local $first i32)
    (local.set $sums (i32x4.splat (i32.shr_u (i32.sub (local.get $end) (local.get $at)) (i32.const 2))))
    (local.set $factors (i32x4.splat (i32.const 0x27220a95)))
    (loop $fours
      (if (i32.le_u (i32.add (local.get $at) (i32.const 16)) (local.get $end))
        (then
          (local.set $sums
            (i32x4.mul (v128.xor (local.get $sums) (v128.load (local.get $at))) (local.get $factors)))
          (local.set $sums
            (v128.or
              (i32x4.shl (local.get $sums) (i32.const 13))
              (i32x4.shr_u (local.get $sums) (i32.const 19))))
          (local.set $at (i32.add (local.get $at) (i32.const 16)))
          (br $fours))))
    (local.set $first (i32x4.extract_lane 0 (local.get $sums)))
    (loop $ones
      (if (i32.lt_u (local.get $at) (local.get $end))
        (then
          (local.set $first (i32.mul (i32.xor (local.get $first) (i32.load (local.get $at))) (i32.const 0x01000193)))
          (local.set $at (i32.add (local.get $at) (i32.const 4)))
          (br $ones))))
    (i32.xor
      (i32.xor
        (local.get $first)
        (i32.mul (i32x4.extract_lane 1 (local.get $sums)) (i32.const 0x9e3779b1)))
      (i32.xor
        (i32.mul (i32x4.extract_lane 2 (local.get $sums)) (i32.const 0x045d9f3b))
        (i32.mul (i32x4.extract_lane 3 (local.get $sums)) (i32.const 0x119de1f3)))))

  ;; Enters rows that have no slot yet, as slots.ts says; $mask is the number of slots' numbers less two.
  (func (export "enter") (param $slots i32) (param $mask i32) (param $at i32) (param $end i32) (param $row i32)
    (local $slot i32) (local $place i32)
    (loop $rows
      (if (i32.lt_u (local.get $at) (local.get $end))
        (then
          (local.set $slot
            (i32.shl
              (i32.xor
                (i32.load (local.get $at))
                (i32.mul (i32.load offset=4 (local.get $at)) (i32.const 0x9e3779b1)))
              (i32.const 1)))
          (loop $taken
            (local.set $slot (i32.and (local.get $slot) (local.get $mask)))
            (local.set $place (i32.add (local.get $slots) (i32.shl (local.get $slot) (i32.const 2))))
            (if (i32.ne (i32.load (local.get $place)) (i32.const -1))
              (then
                (local.set $slot (i32.add (local.get $slot) (i32.const 2)))
                (br $taken))))
          (i32.store (local.get $place) (local.get $row))
          (i32.store offset=4 (local.get $place) (i32.load offset=8 (local.get $at)))
          (local.set $row (i32.add (local.get $row) (i32.const 1)))
          (local.set $at (i32.add (local.get $at) (i32.const 48)))
          (br $rows)))))
)
