; ModuleID = '<string>'
source_filename = "<string>"
target triple = "x86_64-unknown-linux-gnu"

@text = internal constant [2 x i8] c"f\00"
@f.offsets = internal constant [2 x i32] [i32 0, i32 8]
@f.sizes = internal constant [2 x i32] [i32 8, i32 4]
@s2s_kernel_f = local_unnamed_addr constant { ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, i32, i32, i32, i32, i32, i32, i32, i32, ptr, i32, i32 } { ptr @text, ptr @f.range0, ptr @f.range1, ptr null, ptr @f.range3, ptr null, ptr @f.gang0, ptr @f.gang1, ptr null, ptr null, ptr @f.offsets, ptr @f.sizes, i32 2, i32 12, i32 0, i32 1024, i32 12, i32 64, i32 16, i32 0, ptr null, i32 0, i32 0 }

; Function Attrs: mustprogress nofree norecurse nosync nounwind willreturn memory(argmem: write)
define internal fastcc void @f(ptr writeonly captures(none) initializes((0, 4)) %o, i32 %b) unnamed_addr #0 {
entry:
  %storemerge = add i32 %b, 3
  store i32 %storemerge, ptr %o, align 4
  ret void
}

; Function Attrs: noinline nounwind optnone
define internal fastcc void @f.general(i16 range(i16 -1, -32768) %mask.bits, ptr %o, i32 %b) unnamed_addr #1 {
entry:
  %returned = alloca <16 x i1>, align 2
  %o.1 = alloca ptr, align 8
  %b.1 = alloca i32, align 4
  %d_base_B0_x2 = alloca i32, align 4
  %d_base_B0_bits_32 = alloca <16 x i32>, align 64
  %s2s_u_v_base_B0_x = alloca i32, align 4
  %s2s_u_v_base_B0_bits_32 = alloca <16 x i32>, align 64
  br label %start

start:                                            ; preds = %entry
  %mask = bitcast i16 %mask.bits to <16 x i1>
  store <16 x i1> zeroinitializer, ptr %returned, align 2
  store ptr %o, ptr %o.1, align 8
  store i32 %b, ptr %b.1, align 4
  store i32 %b, ptr %d_base_B0_x2, align 4
  %d_base_B0_bits_32.1 = load <16 x i32>, ptr %d_base_B0_bits_32, align 64
  %.10 = and <16 x i32> %d_base_B0_bits_32.1, splat (i32 -32)
  %.11 = or <16 x i32> splat (i32 3), %.10
  store <16 x i32> %.11, ptr %d_base_B0_bits_32, align 64
  store i32 %b, ptr %s2s_u_v_base_B0_x, align 4
  store <16 x i32> %.11, ptr %s2s_u_v_base_B0_bits_32, align 64
  %.15 = insertelement <16 x i32> zeroinitializer, i32 %b, i32 0
  %.16 = shufflevector <16 x i32> %.15, <16 x i32> zeroinitializer, <16 x i32> zeroinitializer
  %.17 = add <16 x i32> %.16, %.11
  %mask.bits.1 = bitcast <16 x i1> %mask to i16
  %.18 = zext i16 %mask.bits.1 to i32
  %.19 = call i32 @llvm.ctlz.i32(i32 %.18, i1 false)
  %.20 = sub nsw i32 31, %.19
  %.21 = and i32 %.20, 15
  %winner = extractelement <16 x i32> %.17, i32 %.21
  store i32 %winner, ptr %o, align 4
  br label %return

return:                                           ; preds = %start
  ret void
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare i32 @llvm.ctlz.i32(i32, i1 immarg) #2

; Function Attrs: nofree norecurse nounwind memory(readwrite, target_mem0: none, target_mem1: none)
define internal void @f.range0(ptr readonly captures(none) %launch, ptr %shared, i64 %first.block, i64 %end.block) #3 {
entry:
  %.9 = getelementptr i8, ptr %shared, i64 285696
  %.10 = getelementptr i8, ptr %launch, i64 32
  %.11 = load ptr, ptr %.10, align 8
  %o.arg = load ptr, ptr %.11, align 8
  %grid.x = load i32, ptr %launch, align 8, !invariant.load !0
  %.15 = getelementptr i8, ptr %launch, i64 12
  %block.x = load i32, ptr %.15, align 4, !invariant.load !0
  %.28 = icmp ult i64 %first.block, %end.block
  br i1 %.28, label %block.preheader, label %block.done

block.preheader:                                  ; preds = %entry
  %.19 = zext i32 %grid.x to i64
  %.22 = urem i64 %first.block, %.19
  %.23 = trunc nuw i64 %.22 to i32
  %.12 = getelementptr i8, ptr %.11, i64 8
  %b.arg = load i32, ptr %.12, align 4
  %.44 = getelementptr i8, ptr %shared, i64 285704
  %storemerge.i1 = add i32 %b.arg, 3
  br label %block

block:                                            ; preds = %block.preheader, %1
  %block.number = phi i64 [ %.90, %1 ], [ %first.block, %block.preheader ]
  %block.x.1 = phi i32 [ %.86, %1 ], [ %.23, %block.preheader ]
  store volatile i64 %block.number, ptr %.9, align 4
  %.37 = sub i64 %end.block, %block.number
  %.39 = tail call i64 @llvm.umin.i64(i64 %.37, i64 64)
  %.40 = trunc nuw nsw i64 %.39 to i32
  %.41 = sub i32 %grid.x, %block.x.1
  %.43 = tail call i32 @llvm.umin.i32(i32 %.41, i32 %.40)
  store volatile i32 %.43, ptr %.44, align 4
  %strip.width = mul nuw nsw i32 %.43, %block.x
  %.not = icmp eq i32 %strip.width, 0
  br i1 %.not, label %1, label %0

block.done:                                       ; preds = %1, %entry
  ret void

0:                                                ; preds = %block
  store i32 %storemerge.i1, ptr %o.arg, align 4
  br label %1

1:                                                ; preds = %block, %0
  %.80 = zext nneg i32 %.43 to i64
  %.81 = add i32 %.43, %block.x.1
  %.82.not = icmp ult i32 %.81, %grid.x
  %.86 = select i1 %.82.not, i32 %.81, i32 0
  %.90 = add i64 %block.number, %.80
  %.91 = icmp ult i64 %.90, %end.block
  br i1 %.91, label %block, label %block.done
}

; Function Attrs: mustprogress nofree norecurse nosync nounwind willreturn memory(readwrite, inaccessiblemem: none, target_mem0: none, target_mem1: none)
define internal void @f.gang0(ptr captures(none) initializes((48, 60)) %.1) #4 {
entry:
  %.3 = getelementptr i8, ptr %.1, i64 28
  %first_thread = load i32, ptr %.3, align 4
  %launch = load ptr, ptr %.1, align 8
  %.4 = getelementptr i8, ptr %launch, i64 12
  %block.x = load i32, ptr %.4, align 4, !invariant.load !0
  %.5 = getelementptr i8, ptr %launch, i64 16
  %block.y = load i32, ptr %.5, align 4, !invariant.load !0
  %.6 = udiv i32 %first_thread, %block.x
  %.7 = urem i32 %first_thread, %block.x
  %.8 = getelementptr i8, ptr %.1, i64 48
  store i32 %.7, ptr %.8, align 8
  %.10 = urem i32 %.6, %block.y
  %.11 = getelementptr i8, ptr %.1, i64 52
  store i32 %.10, ptr %.11, align 4
  %.13 = udiv i32 %.6, %block.y
  %.14 = getelementptr i8, ptr %.1, i64 56
  store i32 %.13, ptr %.14, align 8
  %.22 = icmp ult i32 %first_thread, %block.x
  br i1 %.22, label %runs, label %common.ret

common.ret:                                       ; preds = %entry, %runs
  ret void

runs:                                             ; preds = %entry
  %.16 = getelementptr i8, ptr %launch, i64 32
  %args = load ptr, ptr %.16, align 8, !invariant.load !0
  %.17 = getelementptr i8, ptr %args, i64 8
  %b.arg = load i32, ptr %.17, align 4
  %o.arg = load ptr, ptr %args, align 8
  tail call fastcc void @f(ptr %o.arg, i32 %b.arg) #7
  br label %common.ret
}

; Function Attrs: nounwind
define internal void @f.range1(ptr readonly captures(none) %launch, ptr %shared, i64 %first.block, i64 %end.block) #5 {
entry:
  %.9 = getelementptr i8, ptr %shared, i64 285696
  %.10 = getelementptr i8, ptr %launch, i64 32
  %.11 = load ptr, ptr %.10, align 8
  %o.arg = load ptr, ptr %.11, align 8
  %.12 = getelementptr i8, ptr %.11, i64 8
  %b.arg = load i32, ptr %.12, align 8
  %.15 = getelementptr i8, ptr %launch, i64 12
  %block.x = load i32, ptr %.15, align 4, !invariant.load !0
  %.28 = icmp ult i64 %first.block, %end.block
  br i1 %.28, label %block, label %block.done

block:                                            ; preds = %entry, %gang.done
  %block.number = phi i64 [ %.107, %gang.done ], [ %first.block, %entry ]
  store volatile i64 %block.number, ptr %.9, align 4
  br label %gang.1

block.done:                                       ; preds = %gang.done, %entry
  ret void

gang.1:                                           ; preds = %gang.1, %block
  %first.thread = phi i32 [ 0, %block ], [ %.95, %gang.1 ]
  %left = sub i32 %block.x, %first.thread
  %.67 = icmp ugt i32 %left, 15
  %notmask = shl nsw i32 -1, %left
  %0 = trunc i32 %notmask to i16
  %1 = and i16 %0, 32767
  %entry.mask = xor i16 %1, 32767
  %entry.mask.1 = select i1 %.67, i16 -1, i16 %entry.mask
  tail call fastcc void @f.general(i16 %entry.mask.1, ptr %o.arg, i32 %b.arg) #7
  %.95 = add nuw nsw i32 %first.thread, 16
  %.96 = icmp ult i32 %.95, %block.x
  br i1 %.96, label %gang.1, label %gang.done

gang.done:                                        ; preds = %gang.1
  %.107 = add nuw i64 %block.number, 1
  %.108 = icmp ult i64 %.107, %end.block
  br i1 %.108, label %block, label %block.done
}

; Function Attrs: nounwind
define internal void @f.gang1(ptr readonly captures(none) %.1) #5 {
entry:
  %.3 = getelementptr i8, ptr %.1, i64 28
  %first_thread = load i32, ptr %.3, align 4
  %launch = load ptr, ptr %.1, align 8
  %.6 = getelementptr i8, ptr %launch, i64 12
  %block.x = load i32, ptr %.6, align 4, !invariant.load !0
  %.10 = icmp ult i32 %first_thread, %block.x
  br i1 %.10, label %runs, label %common.ret

common.ret:                                       ; preds = %entry, %runs
  ret void

runs:                                             ; preds = %entry
  %.4 = getelementptr i8, ptr %launch, i64 32
  %args = load ptr, ptr %.4, align 8, !invariant.load !0
  %.5 = getelementptr i8, ptr %args, i64 8
  %b.arg = load i32, ptr %.5, align 4
  %o.arg = load ptr, ptr %args, align 8
  %left = sub nuw i32 %block.x, %first_thread
  %.13 = icmp ugt i32 %left, 15
  %notmask = shl nsw i32 -1, %left
  %0 = trunc i32 %notmask to i16
  %1 = and i16 %0, 32767
  %entry.mask = xor i16 %1, 32767
  %entry.mask.1 = select i1 %.13, i16 -1, i16 %entry.mask
  tail call fastcc void @f.general(i16 %entry.mask.1, ptr %o.arg, i32 %b.arg) #7
  br label %common.ret
}

; Function Attrs: nofree norecurse nounwind memory(readwrite, target_mem0: none, target_mem1: none)
define internal void @f.range3(ptr readonly captures(none) %launch, ptr %shared, i64 %first.block, i64 %end.block) #3 {
entry:
  %.9 = getelementptr i8, ptr %shared, i64 285696
  %.10 = getelementptr i8, ptr %launch, i64 32
  %.11 = load ptr, ptr %.10, align 8
  %o.arg = load ptr, ptr %.11, align 8
  %grid.x = load i32, ptr %launch, align 8, !invariant.load !0
  %.15 = getelementptr i8, ptr %launch, i64 12
  %block.x = load i32, ptr %.15, align 4, !invariant.load !0
  %.28 = icmp ult i64 %first.block, %end.block
  br i1 %.28, label %block.preheader, label %block.done

block.preheader:                                  ; preds = %entry
  %.19 = zext i32 %grid.x to i64
  %.22 = urem i64 %first.block, %.19
  %.23 = trunc nuw i64 %.22 to i32
  %.12 = getelementptr i8, ptr %.11, i64 8
  %b.arg = load i32, ptr %.12, align 4
  %.44 = getelementptr i8, ptr %shared, i64 285704
  %storemerge.i1 = add i32 %b.arg, 3
  br label %block

block:                                            ; preds = %block.preheader, %1
  %block.number = phi i64 [ %.91, %1 ], [ %first.block, %block.preheader ]
  %block.x.1 = phi i32 [ %.87, %1 ], [ %.23, %block.preheader ]
  store volatile i64 %block.number, ptr %.9, align 4
  %.37 = sub i64 %end.block, %block.number
  %.39 = tail call i64 @llvm.umin.i64(i64 %.37, i64 64)
  %.40 = trunc nuw nsw i64 %.39 to i32
  %.41 = sub i32 %grid.x, %block.x.1
  %.43 = tail call i32 @llvm.umin.i32(i32 %.41, i32 %.40)
  store volatile i32 %.43, ptr %.44, align 4
  %strip.width = mul nuw nsw i32 %.43, %block.x
  %.not = icmp eq i32 %strip.width, 0
  br i1 %.not, label %1, label %0

block.done:                                       ; preds = %1, %entry
  ret void

0:                                                ; preds = %block
  store i32 %storemerge.i1, ptr %o.arg, align 4
  br label %1

1:                                                ; preds = %block, %0
  %.81 = zext nneg i32 %.43 to i64
  %.82 = add i32 %.43, %block.x.1
  %.83.not = icmp ult i32 %.82, %grid.x
  %.87 = select i1 %.83.not, i32 %.82, i32 0
  %.91 = add i64 %block.number, %.81
  %.92 = icmp ult i64 %.91, %end.block
  br i1 %.92, label %block, label %block.done
}

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare i64 @llvm.umin.i64(i64, i64) #6

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare i32 @llvm.umin.i32(i32, i32) #6

attributes #0 = { mustprogress nofree norecurse nosync nounwind willreturn memory(argmem: write) }
attributes #1 = { noinline nounwind optnone }
attributes #2 = { mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #3 = { nofree norecurse nounwind memory(readwrite, target_mem0: none, target_mem1: none) }
attributes #4 = { mustprogress nofree norecurse nosync nounwind willreturn memory(readwrite, inaccessiblemem: none, target_mem0: none, target_mem1: none) }
attributes #5 = { nounwind }
attributes #6 = { nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }
attributes #7 = { noinline }

!0 = !{}
